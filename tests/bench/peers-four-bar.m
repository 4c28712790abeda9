% SPDX-License-Identifier: MIT
% The four-bar of data/examples in Octave, for peers.py: all nine coordinates of its three links, the loop held by
% Lagrange's multipliers with stabilization (Baumgarte), integrated by ode15s.
%
%   octave-cli peers-four-bar.m FRICTION GOLDEN LIMIT
%
% writes milliseconds of processor time of the first of the falling tolerances whose angle stays within LIMIT times the
% peak of the golden response, that error and the tolerance.
1;

function [C, D, d] = joints (x, v)
  % r_1 - arm = O1;  ends of neighbours coincide;  last end = O2.  half: from a link's middle to its end
  half = [1, 4, 2.5];
  C = zeros (8, 1);
  D = zeros (8, 9);
  d = zeros (8, 1);
  for k = 1:4
    rows = 2 * k - 1 : 2 * k;
    if (k == 4)
      C(rows) = -[10; 0];
    end
    for side = 1:2 % the link before the joint with its end, the one behind it with its beginning
      link = k - 2 + side;
      if (link < 1 || link > 3)
        continue;
      end
      sign_of = 3 - 2 * side;
      if (k == 1)
        sign_of = 1;
      end
      along = half(link) * (3 - 2 * side);
      at = 3 * link - 2;
      c = cos (x(at + 2));
      s = sin (x(at + 2));
      w = v(at + 2);
      C(rows) += sign_of * ([x(at); x(at + 1)] + along * [c; s]);
      D(rows, at : at + 1) = sign_of * eye (2);
      D(rows, at + 2) = sign_of * along * [-s; c];
      d(rows) -= sign_of * along * [c; s] * w^2;
    end
  end
end

function q = orifice (dp)
  if (abs (dp) <= 2e5)
    q = dp / sqrt (2e5);
  else
    q = sign (dp) * sqrt (abs (dp));
  end
end

function [f, rate, arm, s] = cylinder (x, v, p, friction)
  % from (-1, 0) to the middle of the first link
  line = [x(1) + 1; x(2)];
  s = norm (line);
  arm = line / s;
  rate = arm' * v(1:2);
  z = rate / 0.0125;
  w = 0.25 * z^2 + 0.75;
  rub = friction * (210 * tanh (4 * z) + 620 * z / w^2 + 330 * rate);
  f = pi / 4 * 0.08^2 * p(2) - pi / 4 * (0.08^2 - 0.035^2) * p(3) - rub;
end

function y_dot = rates (t, y, friction, level, slope, corner)
  x = y(1:9);
  v = y(10:18);
  p = y(19:21);
  U = y(22);
  M = diag ([2, 2, 2 / 3, 8, 8, 128 / 3, 5, 5, 125 / 12]);
  [C, D, d] = joints (x, v);
  [f, rate, arm, s] = cylinder (x, v, p, friction);
  Q = -9.81 * [0; 2; 0; 0; 8; 0; 0; 5; 0];
  Q(1:2) += f * arm;
  Q(3) += level + slope * (t - corner);
  beta = 50;
  a = [M, D'; D, zeros(8)] \ [Q; -d - 2 * beta * D * v - beta^2 * C];
  area = pi / 4 * [0.08^2, 0.08^2 - 0.035^2];
  hose = 1 / 1.5e9 + 1 / 1.5e8;
  barrel = 1 / 1.5e9 + 1 / 3.15e10;
  q = 0.8 * pi / 4 * 0.006^2 * sqrt (2 / 850) * orifice (p(1) - p(2));
  Cv = 1.0690449676496976e-08;
  in_a = Cv * (max (U, 0) * orifice (7.6e6 - p(1)) - max (-U, 0) * orifice (p(1) - 1e5));
  in_b = Cv * (max (-U, 0) * orifice (7.6e6 - p(3)) - max (U, 0) * orifice (p(3) - 1e5));
  p_dot = [(in_a - q) / (4.71e-5 * hose);
           (q - area(1) * rate) / (3.14e-5 * hose + area(1) * (s - 1) * barrel);
           (in_b + area(2) * rate) / (7.85e-5 * hose + area(2) * (2 - s) * barrel)];
  y_dot = [v; a(1:9); p_dot; -U / 0.004547284088339867];
end

function y = begin_at_rest ()
  phi = pi / 3;
  across = [10 - 2 * cos(phi); -2 * sin(phi)];
  d = norm (across);
  third = atan2 (across(2), across(1)) + acos ((64 + d^2 - 25) / (16 * d));
  fourth = atan2 (across(2) - 8 * sin (third), across(1) - 8 * cos (third));
  x = [cos(phi); sin(phi); phi; 2 * cos(phi) + 4 * cos(third); 2 * sin(phi) + 4 * sin(third); third;
       10 - 2.5 * cos(fourth); -2.5 * sin(fourth); fourth];
  y = [x; zeros(9, 1); 0; 0; 3.5e6; 0];
  % the acceleration is linear in p2
  first = rates (0, y, 1, 0, 0, 0)(12);
  y(20) = 1e6;
  second = rates (0, y, 1, 0, 0, 0)(12);
  y(19:20) = 1e6 * first / (first - second);
end

function phi = run (friction, tolerance, y)
  corners = [0, 1, 1.5, 4];
  levels = [0, 250, 0];
  slopes = [250, 0, 0];
  scale = [1e-4 * ones(9, 1); 1e-2 * ones(9, 1); 1e5 * ones(3, 1); 1e-2];
  options = odeset ("RelTol", 1e-12, "AbsTol", tolerance * scale);
  phi = 0;
  start = y(3);
  for piece = 1:3
    times = (round (100 * corners(piece)) : round (100 * corners(piece + 1))) / 100;
    [~, out] = ode15s (@(t, y) rates (t, y, friction, levels(piece), slopes(piece), corners(piece)), times, y, options);
    phi = [phi; out(2:end, 3) - start];
    y = out(end, :)';
  end
end

given = argv ();
friction = str2double (given{1});
golden = dlmread (given{2}, ",", 1, 0);
want = golden(:, 2);
limit = str2double (given{3});
y = begin_at_rest ();
for tolerance = 10 .^ (-4.5 : -0.5 : -9)
  began = cputime ();
  try
    phi = run (friction, tolerance, y);
  catch
    continue; % too loose for its start
  end
  took = cputime () - began;
  if (numel (phi) != numel (want))
    continue;
  end
  apart = max (abs (phi - want)) / max (abs (want));
  if (apart <= limit)
    printf ("%.17g\n%.17g\n%.17g\n", 1e3 * took, apart, tolerance);
    exit (0);
  end
end
exit (1);

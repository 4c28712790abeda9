# SPDX-License-Identifier: MIT
"""modelDescription.xml with the eyes of an importer: what FMI 3.0 and 2.0 ask of it beyond their schemas."""
import re
import xml.etree.ElementTree as ElementTree

# One part of a structured name; ASCII letters of the standard stand between apostrophes.
PART = r"(?:[A-Za-z_]\w*|'(?:[^'\\]|\\.)+')(?:\[\d+(?:,\d+)*\])*"
STRUCTURED = re.compile(rf'(?:der\({PART}(?:\.{PART})*(?:,\d+)?\)|{PART}(?:\.{PART})*)', re.A)

# Powers of SI base units, from the names of the quantities alone.
POWERS = {'Length': {'m': 1}, 'Velocity': {'m': 1, 's': -1}, 'Mass': {'kg': 1}, 'MomentOfInertia': {'kg': 1, 'm': 2},
          'Force': {'kg': 1, 'm': 1, 's': -2}, 'Torque': {'kg': 1, 'm': 2, 's': -2}, 'Pressure': {'kg': 1, 'm': -1, 's': -2},
          'BulkModulus': {'kg': 1, 'm': -1, 's': -2}, 'VolumeFlowRate': {'m': 3, 's': -1}, 'Volume': {'m': 3},
          'Angle': {'rad': 1}, 'AngularVelocity': {'rad': 1, 's': -1}, 'Time': {'s': 1},
          'DynamicViscosity': {'kg': 1, 'm': -1, 's': -1}, 'Density': {'kg': 1, 'm': -3}}


class Variable:
    """Of FMI 3.0; of FMI 2.0 half of it stands in the element of its type, and its derivative's place is that of the state."""

    def __init__(self, element):
        of_type = element.find('Real')
        get = element.get if of_type is None else lambda key, otherwise=None: element.get(key, of_type.get(key, otherwise))
        self.name, self.reference = get('name'), int(get('valueReference'))
        self.causality = get('causality', 'local')
        self.variability = get('variability', 'fixed' if 'arameter' in self.causality else 'continuous')
        self.initial, self.start, self.unit, self.display = get('initial'), get('start'), get('unit'), get('displayUnit')
        self.quantity, self.derivative = get('quantity'), get('derivative')
        self.reinit = get('reinit') == 'true'
        self.minimum, self.maximum, self.nominal = get('min'), get('max'), float(get('nominal', '1'))
        self.aliases = [alias.get('name') for alias in element.iter('Alias')]


class Description:
    def __init__(self, text):
        self.root = ElementTree.fromstring(text)
        self.is_2 = self.root.get('fmiVersion') == '2.0'
        self.variables = [Variable(e) for e in self.root.find('ModelVariables')]
        self.by_reference = {v.reference: v for v in self.variables}
        self.structure = self.structure_2() if self.is_2 else [
            (e.tag, int(e.get('valueReference')), e.get('dependencies'), e.get('dependenciesKind')) for e in self.root.find('ModelStructure')]
        self.units = {u.get('name'): u for u in self.root.findall('UnitDefinitions/Unit')}
        self.identifier = next(self.root.find(kind).get('modelIdentifier') for kind in ('CoSimulation', 'ModelExchange')
                               if self.root.find(kind) is not None)
        rates = {tag_vr[1]: self.by_reference[tag_vr[1]] for tag_vr in self.structure if tag_vr[0] == 'ContinuousStateDerivative'}
        self.states = [self.by_reference[int(v.derivative)] for v in rates.values()]
        self.rate_of = {int(v.derivative): v.reference for v in rates.values()}

    def structure_2(self):
        """That of FMI 2.0 by references: there unknowns, and what they depend on, are places in the list, from 1 on."""
        for v in self.variables:
            v.derivative = None if v.derivative is None else str(self.variables[int(v.derivative) - 1].reference)
        tags = {'Outputs': 'Output', 'Derivatives': 'ContinuousStateDerivative', 'InitialUnknowns': 'InitialUnknown'}
        return [(tags[part.tag], self.variables[int(e.get('index')) - 1].reference,
                 None if e.get('dependencies') is None else
                 ' '.join(str(self.variables[int(place) - 1].reference) for place in e.get('dependencies').split()), e.get('dependenciesKind'))
                for part in self.root.find('ModelStructure') for e in part]

    def of(self, causality):
        return [v for v in self.variables if v.causality == causality]

    def table(self):
        """What the importer in C reads."""
        lines = ['token ' + self.root.get('guid' if self.is_2 else 'instantiationToken')]
        if self.is_2:
            lines.append('fmi2 ' + self.root.get('numberOfEventIndicators', '0'))
        if self.root.find('ModelExchange') is None:
            lines.append('cs-only')
        if not self.can('canGetAndSetFMUstate' if self.is_2 else 'canGetAndSetFMUState'):
            lines.append('stateless')
        states, indicators = set(self.rate_of), {r for tag, r, _, _ in self.structure if tag == 'EventIndicator'}
        order = self.states + [v for v in self.variables if v.reference not in states]
        for v in order:
            kind = ('state' if v.reference in states else 'indicator' if v.reference in indicators else 'input' if v.causality == 'input' else
                    v.variability if v.causality == 'parameter' else 'output' if v.causality == 'output' else 'other')
            lines.append(f'{kind} {v.reference} {self.rate_of.get(v.reference, 0)} {int(v.reinit)} {v.start or "nan"} {v.name}')
        return '\n'.join(lines) + '\n'

    def can(self, flag):
        return all(e.get(flag) == 'true' for e in self.root if e.tag in ('ModelExchange', 'CoSimulation'))

    def faults(self):
        """Everything that breaks a rule, in sentences."""
        yield from self.faults_of_variables()
        yield from self.faults_of_units()
        yield from self.faults_of_structure()
        if self.is_2:
            yield from self.faults_of_2()

    def faults_of_2(self):
        """What FMI 2.0 asks beside: knowns without parameters but in the initialization, rising places, functions of memory."""
        for tag, reference, on, _ in self.structure:
            for other in map(int, (on or '').split()):
                if tag != 'InitialUnknown' and self.by_reference[other].causality == 'parameter':
                    yield f'{tag} {reference} depends on the parameter {other}'
        for part in self.root.find('ModelStructure'):
            for places in [[int(e.get('index')) for e in part], *[list(map(int, e.get('dependencies', '').split())) for e in part]]:
                if places != sorted(set(places)):
                    yield f'{part.tag}: {places} do not rise'
        for kind in ('ModelExchange', 'CoSimulation'):
            element = self.root.find(kind)
            if element is not None and (element.get('canNotUseMemoryManagementFunctions') != 'true' or
                                        [e.get('name') for e in element.iter('File')] != ['all.c']):
                yield f'{kind}: memory, or sources'

    def faults_of_variables(self):
        names = [name for v in self.variables for name in [v.name, *v.aliases]]
        if len(set(names)) != len(names):
            yield 'a name twice: ' + ', '.join(sorted({n for n in names if names.count(n) > 1}))
        if len(self.by_reference) != len(self.variables):
            yield 'a reference twice'
        if self.variables[0].causality != 'independent' or len(self.of('independent')) != 1:
            yield 'time is not the first and only independent variable'
        for v in self.variables:
            if not 0 <= v.reference < 2**31:
                yield f'{v.name}: reference {v.reference}'
            for name in [v.name, *v.aliases]:
                if not STRUCTURED.fullmatch(name) or not name.isascii():
                    yield f'{name} is no structured name'
            yield from self.faults_of_start(v)
            if not v.nominal > 0:
                yield f'{v.name}: nominal {v.nominal}'
            if v.start is not None and v.minimum is not None and float(v.start) < float(v.minimum):
                yield f'{v.name}: starts below its min'
            if v.start is not None and v.maximum is not None and float(v.start) > float(v.maximum):
                yield f'{v.name}: starts above its max'
            if v.start is not None and float(repr(float(v.start))) != float(v.start):
                yield f'{v.name}: start {v.start}'

    @staticmethod
    def faults_of_start(v):
        allowed = {'independent': (['continuous'], [None]), 'parameter': (['fixed', 'tunable'], [None, 'exact']),
                   'calculatedParameter': (['fixed', 'tunable'], [None, 'calculated', 'approx']),
                   'input': (['discrete', 'continuous'], [None, 'exact']),
                   'output': (['constant', 'discrete', 'continuous'], [None, 'calculated', 'exact', 'approx']),
                   'local': (['constant', 'fixed', 'tunable', 'discrete', 'continuous'], [None, 'calculated', 'exact', 'approx'])}
        variability, initial = allowed[v.causality]
        if v.variability not in variability or v.initial not in initial:
            yield f'{v.name}: {v.causality}, {v.variability}, {v.initial} do not go together'
        needs = v.causality in ('input', 'parameter') or v.initial in ('exact', 'approx') or v.variability == 'constant'
        if needs != (v.start is not None):
            yield f'{v.name}: start is {v.start}'

    def faults_of_units(self):
        if len(self.units) != len(self.root.findall('UnitDefinitions/Unit')):
            yield 'a unit twice'
        for v in self.variables:
            # parts of a controller's command have its unit and are no quantity of their own
            if (v.quantity is not None and v.unit is None or
                    v.quantity is None and v.unit in ('Pa', 'm3/s', 'N', 'N.m', 'rad', 'rad/s', 'm/s') and v.derivative is None):
                yield f'{v.name}: quantity {v.quantity} in {v.unit}'
            base = self.units[v.unit].find('BaseUnit') if v.unit in self.units else None
            if v.quantity in POWERS and {key: int(power) for key, power in base.items() if key != 'factor'} != POWERS[v.quantity]:
                yield f'{v.name}: a {v.quantity} is not measured in {v.unit}'
            if v.unit is not None and v.unit not in self.units:
                yield f'{v.name}: unit {v.unit} is not defined'
            if v.display is not None and (v.unit is None or v.display not in
                                          [d.get('name') for d in self.units[v.unit].iter('DisplayUnit')]):
                yield f'{v.name}: display unit {v.display} is not defined'

    def faults_of_structure(self):
        listed = {tag: [r for t, r, _, _ in self.structure if t == tag]
                  for tag in ('Output', 'ContinuousStateDerivative', 'InitialUnknown', 'EventIndicator')}
        outputs = [v.reference for v in self.of('output')]
        rates = [v.reference for v in self.variables if v.derivative is not None]
        calculated = [v.reference for v in self.variables if v.causality in ('output', 'calculatedParameter') and
                      v.initial != 'exact' or v.derivative is not None or
                      v.reference in self.rate_of and v.initial in ('calculated', 'approx')]
        for tag, should in (('Output', outputs), ('ContinuousStateDerivative', rates), ('InitialUnknown', calculated)):
            if sorted(listed[tag]) != sorted(should):
                yield f'{tag}: {sorted(listed[tag])} instead of {sorted(should)}'
        if len(set(listed['EventIndicator'])) != len(listed['EventIndicator']):
            yield 'an event indicator twice'
        for tag, reference, on, kinds in self.structure:
            if kinds is not None and (on is None or len(kinds.split()) != len(on.split())):
                yield f'{tag} {reference}: kinds without their dependencies'
            for other in map(int, (on or '').split()):
                known = self.by_reference.get(other)
                is_state = other in self.rate_of
                if known is None or not (is_state or known.causality in ('input', 'parameter', 'independent')):
                    yield f'{tag} {reference} depends on {other}, which is no known'
                elif tag == 'InitialUnknown' and not (known.initial == 'exact' or known.causality in
                                                      ('input', 'parameter', 'independent')):
                    yield f'{tag} {reference} depends on {other}, which is no known of the initialization'
            if on is not None and len(set(on.split())) != len(on.split()):
                yield f'{tag} {reference}: a dependency twice'
        for v in self.states:
            if v.causality not in ('local', 'output') or v.variability != 'continuous':
                yield f'{v.name} cannot be a state'

# For Homebrew. Not run by the project's own checks; sha256 is filled in for a release.
class Hydrolink < Formula
  desc "Workbench for hydraulically actuated linkages"
  homepage "https://github.com/hydrolink/hydrolink"
  url "https://github.com/hydrolink/hydrolink/archive/v0.1.0/hydrolink-0.1.0.tar.gz"
  license "MIT"

  depends_on "gettext" => :build
  depends_on "meson" => :build
  depends_on "ninja" => :build
  depends_on "pkg-config" => :build
  depends_on "adwaita-icon-theme"
  depends_on "arpack"
  depends_on "gtk4"
  depends_on "jansson"
  depends_on "lapack"
  depends_on "libmatio"
  depends_on "libzip"
  depends_on "nlopt"
  depends_on "suite-sparse"
  depends_on "sundials"

  def install
    system "meson", "setup", "build", "-Dtests=false", *std_meson_args
    system "meson", "compile", "-C", "build", "--verbose"
    system "meson", "install", "-C", "build"
  end

  def post_install
    system "#{Formula["glib"].opt_bin}/glib-compile-schemas", "#{HOMEBREW_PREFIX}/share/glib-2.0/schemas"
  end

  test do
    system bin/"hydrolink", "linearize", pkgshare/"examples/four-bar.hydrolink"
  end
end

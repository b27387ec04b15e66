# Spack recipe. Not tried: no Spack where it was written; names and variants follow scripts/packages.txt.
#   spack repo add scripts/packaging/spack
#   spack dev-build -d . brisance@main
from spack.package import *


class Brisance(CMakePackage):
    """MPI-parallel finite-element fracture, fracture modes, and pictures of what breaks."""

    license("AGPL-3.0-or-later")
    version("main")  # from a clone, by `spack dev-build` or `spack develop`

    variant("tests", default=False, description="Build tests and benchmarks")
    variant("arch", default="x86-64-v3", values=("x86-64-v3", "none"), description="Value of -march")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.21:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconf", type="build")
    depends_on("python@3.9:", type=("build", "run"))
    depends_on("py-numpy", type="run")
    depends_on("py-h5py", type="run")

    depends_on("openmpi")
    depends_on("petsc@3.18: ~complex+mpi+double")
    depends_on("slepc@3.18:")
    depends_on("coin-or-clp")
    depends_on("metis@5.1:")
    depends_on("hdf5@1.10: +mpi")
    depends_on("eigen@3.4:")
    depends_on("jemalloc")
    depends_on("highway@1.0:")
    depends_on("tetgen@1.5:")
    depends_on("cgal@5.5:5")
    depends_on("assimp@5.2:")
    depends_on("pugixml")
    depends_on("zlib")
    depends_on("bullet")  # in double precision
    depends_on("nanoflann")
    depends_on("tomlplusplus")
    depends_on("nlohmann-json")
    depends_on("cli11")
    depends_on("spdlog")
    depends_on("fmt")
    depends_on("embree@3")
    depends_on("openimageio@2.4:")
    depends_on("tinygltf")  # header only
    depends_on("muparser")
    depends_on("meshoptimizer")
    depends_on("googletest+gmock", when="+tests")
    depends_on("benchmark", when="+tests")
    depends_on("lemon", when="+tests")
    depends_on("gmp+cxx", when="+tests")

    conflicts("%gcc@:11", msg="C++20 as GCC 12 has it")
    generator("ninja")

    def cmake_args(self):
        arch = self.spec.variants["arch"].value
        return [
            self.define_from_variant("BRISANCE_TESTS", "tests"),
            self.define_from_variant("BRISANCE_BENCHMARKS", "tests"),
            self.define("BRISANCE_ARCH", "" if arch == "none" else arch),
        ]

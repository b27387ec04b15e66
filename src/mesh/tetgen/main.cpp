// brisance-tetgen INPUT OUTPUT: runs TetGen on one surface and ends. TetGen aborts, throws while it cleans up, or
// leaves through exit() on bad surfaces: here that ends this process only, and tetgen_child.cpp turns it into a
// message.
#include "mesh/tetgen/exchange.hpp"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <new>

#include <sys/prctl.h>
#include <sys/resource.h>
#include <tetgen.h>
#include <unistd.h>

namespace {

using namespace brisance::mesh::tetgen_child;

/// Ends with the parent however that ends, and at the bounds by itself. A signal of the terminal reaches the parent
/// alone, which then ends this one: the child has a process group of its own.
void keep_to(const Bounds& bounds) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != bounds.parent) std::_Exit(bad_exchange);  // it ended before the line above
  const auto memory = static_cast<rlim_t>(bounds.memory_byte);
  const rlimit limit{memory, memory};
  setrlimit(RLIMIT_DATA, &limit);
  alarm(static_cast<unsigned>(bounds.time_s));
}

/// One facet a triangle, its marker the triangle's number + 1 (0 means "no marker" to TetGen).
void fill(tetgenio& io, Input& input) {
  io.firstnumber = 0;
  io.numberofpoints = static_cast<int>(input.vertices.size() / 3);
  io.pointlist = new REAL[input.vertices.size()];
  std::copy(input.vertices.begin(), input.vertices.end(), io.pointlist);
  io.numberoffacets = static_cast<int>(input.triangles.size() / 3);
  io.facetlist = new tetgenio::facet[io.numberoffacets];
  io.facetmarkerlist = new int[io.numberoffacets];
  for (int f = 0; f < io.numberoffacets; ++f) {
    tetgenio::facet& facet = io.facetlist[f];
    tetgenio::init(&facet);
    facet.numberofpolygons = 1;
    facet.polygonlist = new tetgenio::polygon[1];
    tetgenio::init(facet.polygonlist);
    facet.polygonlist->numberofvertices = 3;
    facet.polygonlist->vertexlist = new int[3];
    std::copy_n(input.triangles.begin() + 3 * f, 3, facet.polygonlist->vertexlist);
    io.facetmarkerlist[f] = f + 1;
  }
  io.numberofholes = static_cast<int>(input.holes.size() / 3);
  io.holelist = new REAL[std::max<std::size_t>(1, input.holes.size())];
  std::copy(input.holes.begin(), input.holes.end(), io.holelist);
}

void write_output(const char* file, tetgenio& io) {
  std::ofstream out(file, std::ios::binary);
  write_array(out, io.pointlist, 3 * static_cast<std::size_t>(io.numberofpoints));
  write_array(out, io.tetrahedronlist, 4 * static_cast<std::size_t>(io.numberoftetrahedra));
  for (int f = 0; f < io.numberoftrifaces; ++f) --io.trifacemarkerlist[f];
  write_array(out, io.trifacelist, 3 * static_cast<std::size_t>(io.numberoftrifaces));
  write_array(out, io.trifacemarkerlist, static_cast<std::size_t>(io.numberoftrifaces));
  close_written(out, file);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::puts("usage: brisance-tetgen INPUT OUTPUT (started by brisance, not by hand)");
    return bad_exchange;
  }
  try {
    Input input = read_input(argv[1]);
    keep_to(bounds_of(input));
    tetgenio in, out;
    fill(in, input);
    tetrahedralize(input.switches.data(), &in, &out);
    write_output(argv[2], out);
    return done;
  } catch (int reason) {  // TetGen throws its exit code: 1 is memory, 2 an internal error, 3 a self-intersection …
    std::printf("TetGen stopped with code %d\n", reason);
    return reason == 1 ? out_of_memory : tetgen_gave_up;
  } catch (const std::bad_alloc&) {
    return out_of_memory;
  } catch (const std::exception& error) {
    std::puts(error.what());
    return bad_exchange;
  }
}

// brisance-tetgen: runs TetGen on one surface and ends. On bad surfaces TetGen aborts, throws during cleanup, or calls
// exit(): here that ends this process only, and tetgen_child.cpp turns it into a message.
#include "mesh/tetgen/exchange.hpp"

#include <algorithm>
#include <cstdio>
#include <new>

#include <tetgen.h>

namespace {

namespace core = brisance::core;
using namespace brisance::mesh::tetgen_child;

/// One facet for each triangle, its marker the triangle's number + 1 (0 means "no marker" to TetGen).
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

void write_output(tetgenio& io) {
  core::Outbox out(core::kAnswerDescriptor);
  out.put(io.pointlist, 3 * static_cast<std::size_t>(io.numberofpoints));
  out.put(io.tetrahedronlist, 4 * static_cast<std::size_t>(io.numberoftetrahedra));
  for (int f = 0; f < io.numberoftrifaces; ++f) --io.trifacemarkerlist[f];
  out.put(io.trifacelist, 3 * static_cast<std::size_t>(io.numberoftrifaces));
  out.put(io.trifacemarkerlist, static_cast<std::size_t>(io.numberoftrifaces));
}

}  // namespace

int main() {
  if (!core::has_request()) {
    std::puts("usage: brisance-tetgen (started by brisance, not by hand)");
    return core::kChildBadExchange;
  }
  try {
    core::Inbox request(core::kRequestDescriptor);
    core::keep_to(core::take_bounds(request));
    Input input = take_input(request);
    tetgenio in, out;
    fill(in, input);
    tetrahedralize(input.switches.data(), &in, &out);
    write_output(out);
    return core::kChildDone;
  } catch (int reason) {  // TetGen throws its exit code: 1 is memory, 2 an internal error, 3 a self-intersection …
    std::printf("TetGen stopped with code %d\n", reason);
    return reason == 1 ? core::kChildOutOfMemory : core::kChildGaveUp;
  } catch (const std::bad_alloc&) {
    return core::kChildOutOfMemory;
  } catch (const std::exception& error) {
    std::puts(error.what());
    return core::kChildBadExchange;
  }
}

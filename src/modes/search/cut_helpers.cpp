/// Messages between rank 0 and its helper: a command, then its data. All data are sent as whole arrays, so the receiver
/// gets sizes by probing.
#include "brisance/modes/search/cut_helpers.hpp"

#include "modes/search/pricing.hpp"

#include <chrono>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

namespace brisance::modes {

namespace {

constexpr int kHelper = 1;  ///< more than two pricings at a time do not pay, see solve_convex_step
constexpr int kTag = 1;

enum class Order : std::int32_t { leave, new_graph, price };

template <class T>
void send(const core::Comm& comm, int to, std::span<const T> values) {
  MPI_Send(values.data(), static_cast<int>(values.size()), core::mpi_type<T>(), to, kTag, comm.raw());
}

template <class T>
void send_one(const core::Comm& comm, int to, T value) {
  send(comm, to, std::span<const T>(&value, 1));
}

/// The next message from that rank; waits without limit.
template <class T>
std::vector<T> receive(const core::Comm& comm, int from) {
  MPI_Status status;
  for (int there = 0;;) {
    MPI_Iprobe(from, kTag, comm.raw(), &there, &status);
    if (there != 0) break;
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
  int count = 0;
  MPI_Get_count(&status, core::mpi_type<T>(), &count);
  std::vector<T> values(count);
  MPI_Recv(values.data(), count, core::mpi_type<T>(), from, kTag, comm.raw(), MPI_STATUS_IGNORE);
  return values;
}

template <class T>
T receive_one(const core::Comm& comm, int from) {
  return receive<T>(comm, from).at(0);
}

/// The helper's copy of rank 0's body.
struct Body {
  CellGraph graph;
  std::vector<double> face_weight;
  std::unique_ptr<MinCut> cut;
};

void receive_graph(const core::Comm& comm, Body& body) {
  body = {};
  body.graph.volume = receive<double>(comm, 0);
  const auto cells = receive<std::int32_t>(comm, 0);
  const auto area = receive<double>(comm, 0);
  for (std::size_t f = 0; f < area.size(); ++f) body.graph.faces.push_back({cells[2 * f], cells[2 * f + 1], area[f]});
  body.face_weight = receive<double>(comm, 0);
  body.cut = std::make_unique<MinCut>(body.graph, body.face_weight);
}

void price(const core::Comm& comm, Body& body) {
  const auto known_ratio = receive_one<double>(comm, 0);
  const auto gain = receive<double>(comm, 0);
  const Pricing result = largest_ratio(body.graph, body.face_weight, *body.cut, gain, known_ratio);
  send_one(comm, 0, result.ratio);
  send_one(comm, 0, std::int32_t{result.num_cuts});
  std::vector<double> perimeters;
  for (const WeightedSet& set : result.sets) perimeters.push_back(set.perimeter);
  send(comm, 0, std::span<const double>(perimeters));
  for (const WeightedSet& set : result.sets) send(comm, 0, set.set.words());
}

}  // namespace

CutHelpers::~CutHelpers() {
  if (waiting_) static_cast<void>(finish());  // after an error
  for (int rank = 1; rank < comm_.size(); ++rank) send_one(comm_, rank, static_cast<std::int32_t>(Order::leave));
}

std::uint64_t CutHelpers::set_graph(const CellGraph& graph, std::span<const double> face_weight) {
  std::vector<std::int32_t> cells;
  std::vector<double> area;
  for (const Face& face : graph.faces) {
    cells.insert(cells.end(), {face.a, face.b});
    area.push_back(face.area);
  }
  send_one(comm_, kHelper, static_cast<std::int32_t>(Order::new_graph));
  send(comm_, kHelper, std::span<const double>(graph.volume));
  send(comm_, kHelper, std::span<const std::int32_t>(cells));
  send(comm_, kHelper, std::span<const double>(area));
  send(comm_, kHelper, face_weight);
  return ++num_graphs_;
}

void CutHelpers::start(std::span<const double> gain, double known_ratio) {
  send_one(comm_, kHelper, static_cast<std::int32_t>(Order::price));
  send_one(comm_, kHelper, known_ratio);
  send(comm_, kHelper, gain);
  waiting_ = true;
}

Pricing CutHelpers::finish() {
  Pricing result;
  result.ratio = receive_one<double>(comm_, kHelper);
  result.num_cuts = receive_one<std::int32_t>(comm_, kHelper);
  for (const double perimeter : receive<double>(comm_, kHelper))
    result.sets.push_back({CellSet(receive<std::uint64_t>(comm_, kHelper)), perimeter});
  waiting_ = false;
  return result;
}

void help_with_cuts(const core::Comm& comm) {
  Body body;
  for (;;) switch (static_cast<Order>(receive_one<std::int32_t>(comm, 0))) {
      case Order::leave:
        return;
      case Order::new_graph:
        receive_graph(comm, body);
        break;
      case Order::price:
        price(comm, body);
        break;
    }
}

}  // namespace brisance::modes

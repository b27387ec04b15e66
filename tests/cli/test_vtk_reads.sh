#!/usr/bin/env bash
# VTK's reader, the one inside ParaView, opens the series of a run on two ranks and finds the values of monitor.csv.
# usage: test_vtk_reads.sh PROGRAM SOURCE_DIR SCRATCH_DIR
set -eu
program=$1 source=$2 scratch=$3
rm -rf "$scratch" && mkdir -p "$scratch"
mpirun -q -n 2 "$program" run "$source/configs/bowl_4.toml" --set object.mesh.edge_length_m=0.025 \
  --set time.duration_s=0.02 --set output.frame_interval_s=0.005 --out "$scratch/run"
/usr/bin/python3 "$source/tests/cli/check_series_vtk.py" "$scratch/run"

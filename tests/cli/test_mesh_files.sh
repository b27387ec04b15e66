#!/usr/bin/env bash
# Tetrahedral meshes in all formats of `brisance mesh`, without brisance-solids: converted, described, run.
# Arguments: program, source folder, scratch.
set -euo pipefail
program=$1 scratch=$3
rm -rf "$scratch" && mkdir -p "$scratch/alone" && cd "$scratch"
export OMPI_MCA_ess_singleton_isolated=1
# A copy without the programs beside it: tets need none of them.
cp "$program" alone/brisance
alone=$scratch/alone/brisance

# expect CODE TEXT COMMAND…: that exit code, and that text somewhere in the output
expect() {
  local code=$1 text=$2 output status=0
  shift 2
  output=$(timeout 60 "$@" 2>&1) || status=$?
  [[ $status -eq $code && $output == *"$text"* ]] ||
    { echo "expected exit code $code and \"$text\" from $*, got $status and: $output"; exit 1; }
}

# Two tets on a shared face in each format; their volume is 1/6 + 1/3.
cat > two.msh <<'MSH'
$MeshFormat
2.2 0 8
$EndMeshFormat
$Nodes
5
1 0 0 0
2 1 0 0
3 0 1 0
4 0 0 1
5 1 1 1
$EndNodes
$Elements
2
1 4 2 0 1 1 2 3 4
2 4 2 0 1 2 3 4 5
$EndElements
MSH
printf '5 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n4 1 1 1\n' > two.node
printf '2 4 0\n0 0 1 2 3\n1 1 2 3 4\n' > two.ele
expect 0 "volume 0.5 m³" "$alone" mesh two.msh --out two.vtu
expect 0 "2 tets, 5 nodes, as the file has them, in 1 connected part" "$alone" mesh two.vtu --out two.hdf
for file in two.msh two.node two.ele two.vtu two.hdf; do
  expect 0 "2 tets, 5 nodes" "$alone" mesh $file --out from_$file.hdf
  expect 0 "5 nodes, 2 tets" "$alone" info from_$file.hdf
  expect 0 "" "$alone" diff two.hdf from_$file.hdf
done
cp two.msh upper.MSH
expect 0 "2 tets, 5 nodes" "$alone" mesh upper.MSH --out upper.hdf
expect 0 "volume 0.0005 m³" "$alone" mesh two.msh --set scale=0.1 --out small.hdf
expect 2 "holds tetrahedra already: leave out --tets and --edge" "$alone" mesh two.msh --tets 100 --out none.hdf
expect 2 "leave out cage, cavity_scale" "$alone" mesh two.msh --set cage=true --out none.hdf
expect 0 "modes in two.modes.h5" "$alone" modes two.msh --count 3 --out two.modes.h5

# Tets of a file are tested like those of a generated mesh, also in a mere conversion.
printf '5 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n4 0.3 0.3 -1e-8\n' > thin.node
printf '2 4 0\n0 0 1 2 3\n1 0 2 1 4\n' > thin.ele
expect 2 "its thinnest tet is 1e-08 m high" "$alone" mesh thin.node --out none.hdf
expect 2 "its thinnest tet is 1e-08 m high" "$alone" modes thin.node --count 3 --out none.h5
[[ ! -e none.hdf && ! -e none.h5 ]] || { echo "thin tets were written"; exit 1; }
expect 0 "thin.node: its thinnest tet is 1e-08 m high" "$alone" mesh thin.node --set least_altitude=1e-9 --out thin.hdf

sed 's/^1 4 2 0/1 4 2 1000000/' two.msh > large.msh
expect 2 "regions 0 to 1000000, where this format takes 0 to 65535" "$alone" mesh large.msh --out none.hdf
expect 0 "2 tets" "$alone" mesh large.msh --out large.vtu

# Two bodies in one file are reported, and files that are no mesh, with any extension.
printf '8 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n4 5 0 0\n5 6 0 0\n6 5 1 0\n7 5 0 1\n' > apart.node
printf '2 4 0\n0 0 1 2 3\n1 4 5 6 7\n' > apart.ele
expect 0 "in 2 connected parts" "$alone" mesh apart.node --out apart.hdf
expect 0 "2 bodies" "$alone" info apart.node
expect 0 "one body" "$alone" info two.msh
printf 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n' > pointer.obj
for ending in obj stl ply off msh vtu node hdf; do
  [[ $ending == obj ]] || cp pointer.obj pointer.$ending
  [[ $ending == node ]] && cp pointer.obj pointer.ele
  # Surfaces need brisance-solids before they are read.
  [[ $ending =~ ^(obj|stl|ply|off)$ ]] && of=$program || of=$alone
  expect 2 "is a Git LFS pointer" "$of" mesh pointer.$ending --out none.hdf
done
mkdir folder.msh && mkfifo pipe.msh pipe.hdf
expect 2 "not a regular file" "$alone" mesh folder.msh --out none.hdf
expect 2 "not a regular file" "$alone" mesh pipe.msh --out none.hdf
expect 2 "pipe.hdf" "$alone" mesh pipe.hdf --out none.hdf
[[ ! -e none.hdf ]]
echo "mesh files: passed"

"""Meshes with closed-form answers for test_evaluate.sh, and the test of the results of `brisance evaluate`.

usage: deformed_mesh.py write FOLDER | check FOLDER
A box of NxNxN Kuhn cells (edge H) in an affine state x = F u + v(t), written as an ASCII VTU in a shuffled node order,
so that ids are positions in the file and nothing else. Cases: VALIDATION A2 (affine state; also of a snapshot file, of two
materials and of a flowing one), C0 (uniaxial tension).
"""

import json
import re
import struct
import sys
from itertools import permutations

import numpy as np

N, H = 3, 0.1
DENSITY, LAMBDA, MU, PHI, PSI = 2000.0, 4e6, 3e6, 120.0, 70.0
STRENGTH = 1e5
STRONG = 1e7  # ductile material must yield before it breaks
SHEAR = np.array([[1.02, 0.01, -0.004], [0.006, 0.97, 0.012], [0.003, -0.008, 1.03]])
RATE = np.array([[0.3, -0.2, 0.1], [0.5, 0.4, -0.1], [-0.3, 0.2, -0.6]])
# Uniaxial stress along x to second order in nothing: only x is stretched, the sides are let in until their stress is 0.
STRETCH = 1.02
OTHER = 2.5  # the second material: everything times this
# Deformation gradient, γ1 and γ2 of the plastic cases: nothing deformed, not yet flowing, flowing, at the plastic limit.
PLASTIC = {"rest": (np.eye(3), 0.01, 0.1), "elastic": (SHEAR, 0.5, 0.1), "flowing": (SHEAR, 0.01, 0.5),
           "limit": (SHEAR, 0.01, 0.03)}


def kuhn_box():
    index = lambda i, j, k: (i * (N + 1) + j) * (N + 1) + k
    nodes = np.array([[i, j, k] for i in range(N + 1) for j in range(N + 1) for k in range(N + 1)]) * H
    tets = []
    for cell in np.ndindex(N, N, N):
        for axes in permutations(range(3)):
            corner = np.array(cell)
            tet = [index(*corner)]
            for axis in axes:
                corner = corner + np.eye(3, dtype=int)[axis]
                tet.append(index(*corner))
            a, b, c, d = nodes[tet]
            if np.dot(np.cross(b - a, c - a), d - a) < 0:
                tet[2], tet[3] = tet[3], tet[2]
            tets.append(tet)
    shuffled = np.random.default_rng(5).permutation(len(nodes))
    place = np.argsort(shuffled)
    return nodes[shuffled], place[np.array(tets)]


def uniaxial():
    # σ_yy = λ tr ε + 2μ ε_yy = 0 with ε = FᵀF − I: the sides' strain is −ν times the axial one.
    axial = STRETCH**2 - 1
    side = -LAMBDA / (2 * (LAMBDA + MU)) * axial
    return np.diag([STRETCH, np.sqrt(1 + side), np.sqrt(1 + side)])


def text(values):
    return " ".join(f"{v:.17g}" for v in np.ravel(values))


def write_vtu(name, nodes, tets, gradient, rate, region=None):
    displacement, velocity = nodes @ (gradient - np.eye(3)).T, nodes @ rate.T
    array = lambda n, kind, parts, v: f'<DataArray type="{kind}" Name="{n}" NumberOfComponents="{parts}" format="ascii">{text(v)}</DataArray>\n'
    with open(name, "w") as file:
        file.write('<?xml version="1.0"?>\n<VTKFile type="UnstructuredGrid" version="1.0" byte_order="LittleEndian">\n<UnstructuredGrid>\n')
        file.write(f'<Piece NumberOfPoints="{len(nodes)}" NumberOfCells="{len(tets)}">\n<PointData>\n')
        file.write(array("displacement", "Float64", 3, displacement) + array("velocity", "Float64", 3, velocity))
        file.write("</PointData>\n")
        if region is not None:
            file.write("<CellData>\n" + array("region", "Int32", 1, region) + "</CellData>\n")
        file.write("<Points>\n" + array("Points", "Float64", 3, nodes) + "</Points>\n<Cells>\n")
        file.write(array("connectivity", "Int64", 1, tets) + array("offsets", "Int64", 1, 4 * np.arange(1, len(tets) + 1)))
        file.write(array("types", "UInt8", 1, np.full(len(tets), 10)) + "</Cells>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n")


def write(folder):
    nodes, tets = kuhn_box()
    write_vtu(f"{folder}/affine.vtu", nodes, tets, SHEAR, RATE)
    write_vtu(f"{folder}/uniaxial.vtu", nodes, tets, uniaxial(), np.zeros((3, 3)))
    write_vtu(f"{folder}/at_rest.vtu", nodes, tets, np.eye(3), np.zeros((3, 3)))
    write_vtu(f"{folder}/inverted_now.vtu", nodes, tets, np.diag([1.0, 1.0, -1.0]), np.zeros((3, 3)))
    write_vtu(f"{folder}/huge_move.vtu", nodes, tets, np.diag([1e160, 1.0, 1.0]), np.zeros((3, 3)))
    write_vtu(f"{folder}/huge_speed.vtu", nodes, tets, np.eye(3), 1e160 * np.eye(3))
    damaged = tets.copy()
    damaged[[4, 9]] = damaged[[4, 9]][:, [0, 2, 1, 3]]
    write_vtu(f"{folder}/inverted_at_rest.vtu", nodes, damaged, np.eye(3), np.zeros((3, 3)))
    region = regions(nodes, tets)
    write_vtu(f"{folder}/regions.vtu", nodes, tets, SHEAR, np.zeros((3, 3)), region)
    write_vtu(f"{folder}/one_region_too_many.vtu", nodes, tets, SHEAR, np.zeros((3, 3)), 2 * region)
    for name, (gradient, _, _) in PLASTIC.items():
        write_vtu(f"{folder}/plastic_{name}.vtu", nodes, tets, gradient, np.zeros((3, 3)))
    write_scene(f"{folder}/scene.toml", material("test"))
    write_scene(f"{folder}/two_materials.toml", material("test"), material("other", OTHER))
    for name, (_, yield_strain, limit) in PLASTIC.items():
        flow = f"yield_strain = {yield_strain}\nplastic_limit = {limit}\n"
        write_scene(f"{folder}/plastic_{name}.toml", material("test", undamped=True, strength=STRONG) + flow)


def regions(nodes, tets):
    """0 on one side of the box, 1 on the other."""
    return (nodes[tets].mean(axis=1)[:, 0] > N * H / 2).astype(int)


def material(name, factor=1, undamped=False, strength=STRENGTH):
    phi, psi = (0, 0) if undamped else (PHI, PSI)
    return (f'[[material]]\nname = "{name}"\nelastic_law = "stvk"\ndensity_kg_m3 = {factor * DENSITY}\nlame_lambda_pa = {factor * LAMBDA}\n'
            f"lame_mu_pa = {factor * MU}\ndamping_phi_pa_s = {phi}\ndamping_psi_pa_s = {psi}\nstrength_pa = {strength}\n")


def write_scene(name, *materials):
    with open(name, "w") as file:
        file.write("".join(materials) + '[[object]]\nmaterial = "test"\n[object.mesh]\nshape = "box"\n'
                   '[[collider]]\nshape = "plane"\n[time]\nduration_s = 1\n')


def deform(file_name):
    """Puts a snapshot file's nodes into the affine state, its rest shape left as it is."""
    import h5py
    with h5py.File(file_name, "r+") as file:
        rest = file["VTKHDF/PointData/rest_position"][:]
        file["VTKHDF/Points"][:] = rest @ SHEAR.T
        file["VTKHDF/PointData/velocity"][:] = rest @ RATE.T


def results(folder, name):
    return read_vtu(f"{folder}/{name}.out.vtu"), json.load(open(f"{folder}/{name}.json"))


def read_vtu(name):
    data = open(name, "rb").read()
    head, _, tail = data.partition(b'<AppendedData encoding="raw">\n_')
    kinds = {"Float64": "<f8", "Int64": "<i8", "UInt8": "u1", "Int32": "<i4"}
    arrays = {}
    for kind, array, parts, offset in re.findall(r'type="(\w+)" Name="(\w+)" NumberOfComponents="(\d+)" format="appended" offset="(\d+)"', head.decode()):
        offset = int(offset)
        (length,) = struct.unpack_from("<Q", tail, offset)
        values = np.frombuffer(tail[offset + 8:offset + 8 + length], kinds[kind])
        arrays[array] = values.reshape(-1, int(parts)) if int(parts) > 1 else values
    return arrays


def six(m):
    return np.array([m[0, 0], m[1, 1], m[2, 2], m[0, 1], m[1, 2], m[0, 2]])


def close(what, got, wanted, tolerance=1e-11):
    error = np.max(np.abs(np.asarray(got) - wanted)) / np.max(np.abs(wanted))
    assert error < tolerance, f"{what}: off by {error} of {np.max(np.abs(wanted))}"


def piola_kirchhoff(strain, lame_lambda, lame_mu):
    """The papers' stress of a strain; the physical 2nd Piola–Kirchhoff stress is half of it."""
    return lame_lambda * np.trace(strain) * np.eye(3) + 2 * lame_mu * strain


def surface_forces(nodes, tets, pk1):
    """Nodal forces −P A/3 of a uniform 1st Piola–Kirchhoff stress: only boundary faces are left over."""
    forces, faces = np.zeros_like(nodes), {}
    for tet in tets:
        for corners in ((1, 2, 3), (0, 3, 2), (0, 1, 3), (0, 2, 1)):
            face = tuple(tet[list(corners)])
            key = tuple(sorted(face))
            faces[key] = None if key in faces else face
    for face in filter(None, faces.values()):
        a, b, c = nodes[list(face)]
        forces[list(face)] -= pk1 @ np.cross(b - a, c - a) / 6
    return forces


def check_affine(folder):
    nodes, tets = kuhn_box()
    volume = (N * H) ** 3
    a, report = read_vtu(f"{folder}/affine.out.vtu"), json.load(open(f"{folder}/affine.json"))
    assert np.array_equal(a["Points"], nodes), "points are not in the input's order"
    assert np.array_equal(np.sort(a["connectivity"].reshape(-1, 4)), np.sort(tets)), "tets are not in the input's order"
    strain, strain_rate = SHEAR.T @ SHEAR - np.eye(3), SHEAR.T @ RATE + RATE.T @ SHEAR
    elastic = piola_kirchhoff(strain, LAMBDA, MU)
    viscous = piola_kirchhoff(strain_rate, PHI, PSI)
    total = elastic + viscous
    close("strain", a["green_strain"], np.tile(six(strain), (len(tets), 1)))
    cauchy = SHEAR @ (total / 2) @ SHEAR.T / np.linalg.det(SHEAR)
    close("stress", a["stress"], np.tile(six(cauchy), (len(tets), 1)))
    close("force", a["force"], surface_forces(nodes, tets, SHEAR @ total / 2))
    close("viscous force", a["viscous_force"], surface_forces(nodes, tets, SHEAR @ viscous / 2))
    close("volume", a["volume"], np.full(len(tets), H**3 / 6))
    close("mass", report["mass_kg"], DENSITY * volume)
    close("masses", a["mass"].sum(), DENSITY * volume)
    close("elastic energy", report["elastic_energy_j"], volume * np.sum(elastic * strain) / 8)
    close("kinetic energy", report["kinetic_energy_j"], np.sum(a["mass"] * np.sum((nodes @ RATE.T) ** 2, axis=1)) / 2)
    close("damping power", report["damping_power_w"], volume * np.sum(viscous * strain_rate) / 4)
    close("damping power from forces", report["damping_power_w"], -np.sum(a["viscous_force"] * (nodes @ RATE.T)), 1e-9)
    # Kuhn tet of edge h: Σ ∇b ∇bᵀ has trace 6/h² and a deviator of norm 2/h²; all of one shape, so that none lends mass.
    factor = 1 + 1.5 * np.linalg.norm(strain)
    largest = (2 + np.sqrt(2 / 3) * 2) / H**2
    stiffness = 4 / DENSITY * (2 * MU * largest + LAMBDA * 6 / H**2) * factor**2
    damping = 4 / DENSITY * (2 * PSI * largest + PHI * 6 / H**2) * factor
    bound = 2 / (np.sqrt(stiffness + damping**2 / 4) + damping / 2)
    close("critical step", report["critical_step_s"], bound, 1e-6)  # strains are kept as floats
    assert report["num_tets"] == len(tets) and report["num_nodes"] == len(nodes) and report["num_inverted_tets"] == 0


def check_uniaxial(folder):
    nodes, tets = kuhn_box()
    gradient = uniaxial()
    a, report = read_vtu(f"{folder}/uniaxial.out.vtu"), json.load(open(f"{folder}/uniaxial.json"))
    axial = LAMBDA * np.trace(gradient.T @ gradient - np.eye(3)) + 2 * MU * (STRETCH**2 - 1)
    stress = gradient[0, 0] ** 2 * axial / 2 / np.linalg.det(gradient)
    interior = np.all((nodes > H / 2) & (nodes < (N - 0.5) * H), axis=1)
    assert interior.sum() == (N - 1) ** 3
    # C0: ζ = σ₀ A_n n nᵀ, and A_n = h² of a Kuhn grid along its axis, h² here measured in the current state.
    separation = stress * (H * gradient[1, 1]) ** 2
    close("separation", a["separation"][interior], np.full(interior.sum(), separation))
    close("tensor", a["separation_tensor"][interior], np.tile(separation * np.eye(1, 6), (interior.sum(), 1)))
    close("normal", a["separation_normal"][interior], np.tile(np.eye(1, 3), (interior.sum(), 1)))
    close("severity", a["severity"][interior], np.full(interior.sum(), stress / STRENGTH))
    ends = (nodes[:, 0] < H / 2) | (nodes[:, 0] > (N - 0.5) * H)
    assert np.max(a["separation"][ends]) < 1e-9 * separation, "loaded end faces are not pulled apart (C0)"
    assert report["num_failing_nodes"] == np.sum(a["severity"] > 1) and report["num_failing_nodes"] >= interior.sum()
    close("largest severity", report["largest_severity"], a["severity"].max(), 1e-15)
    assert report["most_severe_node"] == np.argmax(a["severity"])


def check_regions(folder):
    nodes, tets = kuhn_box()
    a, report = results(folder, "regions")
    factor = np.where(regions(nodes, tets) == 1, OTHER, 1)
    strain = SHEAR.T @ SHEAR - np.eye(3)
    stress = piola_kirchhoff(strain, LAMBDA, MU)
    close("stress", a["stress"], factor[:, None] * six(SHEAR @ (stress / 2) @ SHEAR.T / np.linalg.det(SHEAR)))
    mass = np.zeros(len(nodes))
    np.add.at(mass, tets, (factor * DENSITY * H**3 / 6 / 4)[:, None])
    close("mass", a["mass"], mass)
    close("elastic energy", report["elastic_energy_j"], np.sum(factor) * H**3 / 6 * np.sum(stress * strain) / 8)


def check_plastic(folder):
    nodes, tets = kuhn_box()
    for name, (gradient, yield_strain, limit) in PLASTIC.items():
        a, report = results(folder, f"plastic_{name}")
        strain = gradient.T @ gradient - np.eye(3)
        deviator = strain - np.trace(strain) / 3 * np.eye(3)
        norm = np.linalg.norm(deviator)
        # From no plastic strain: the part of the deviator beyond γ1, no longer than γ2.
        flowed = min(max(norm - yield_strain, 0), limit)
        assert (flowed > 0) == (name in ("flowing", "limit")) and (flowed == limit) == (name == "limit")
        plastic = flowed / norm * deviator if flowed > 0 else np.zeros((3, 3))
        stress = piola_kirchhoff(strain - plastic, LAMBDA, MU)
        if name == "rest":
            for field, scale in {"stress": MU, "force": MU * H**2, "separation": MU * H**2, "severity": MU / STRENGTH}.items():
                assert np.max(np.abs(a[field])) < 1e-13 * scale, f"{field} of a plastic body at rest is not round-off"
            assert report["elastic_energy_j"] < 1e-26 * MU and report["plastic_work_j"] == 0
            continue
        cauchy = gradient @ (stress / 2) @ gradient.T / np.linalg.det(gradient)
        close(f"stress, {name}", a["stress"], np.tile(six(cauchy), (len(tets), 1)), 1e-9)
        close(f"force, {name}", a["force"], surface_forces(nodes, tets, gradient @ stress / 2), 1e-9)
        volume = (N * H) ** 3
        close(f"elastic energy, {name}", report["elastic_energy_j"], volume * np.sum(stress * (strain - plastic)) / 8, 1e-9)
        work = volume * np.sum(stress * plastic) / 4
        assert abs(report["plastic_work_j"] - work) <= 1e-9 * work, f"plastic work, {name}: {report['plastic_work_j']}, {work}"


def check_snapshot(folder):
    import h5py
    a, report = results(folder, "snapshot")
    with h5py.File(f"{folder}/snapshot.hdf") as file:
        assert np.array_equal(a["Points"], file["VTKHDF/PointData/rest_position"][:]), "nodes are not in ascending id"
    tets, strain = a["connectivity"].reshape(-1, 4), SHEAR.T @ SHEAR - np.eye(3)
    total = piola_kirchhoff(strain, LAMBDA, MU) + piola_kirchhoff(SHEAR.T @ RATE + RATE.T @ SHEAR, PHI, PSI)
    close("stress", a["stress"], np.tile(six(SHEAR @ (total / 2) @ SHEAR.T / np.linalg.det(SHEAR)), (len(tets), 1)), 1e-9)
    close("force", a["force"], surface_forces(a["Points"], tets, SHEAR @ total / 2), 1e-9)
    close("mass", report["mass_kg"], DENSITY * 0.2 * 0.3 * 0.4)
    elastic = np.sum(piola_kirchhoff(strain, LAMBDA, MU) * strain)
    close("elastic energy", report["elastic_energy_j"], 0.2 * 0.3 * 0.4 * elastic / 8, 1e-9)


def check(folder):
    check_affine(folder)
    check_uniaxial(folder)
    check_regions(folder)
    check_plastic(folder)
    print("evaluate: closed forms met")


{"write": write, "check": check, "deform": deform, "check_snapshot": check_snapshot}[sys.argv[1]](sys.argv[2])

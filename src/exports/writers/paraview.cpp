/// A state of ParaView, as the Python script that it loads and saves as one.
#include "brisance/io/json_text.hpp"

#include "exports/writers/single_files.hpp"

namespace brisance::exports {

std::string paraview_script(const std::filesystem::path& run) {
  // A JSON string is a Python string, too.
  const std::string series =
      io::json_text(nlohmann::json((std::filesystem::absolute(run) / "run.hdf.series").string()));
  std::string text =
      R"python("""A run of brisance in ParaView 5.10 or later: File > Load State..., or `paraview --state=THIS.py`.

Surface coloured by piece; cracks and largest principal stress are further objects of the pipeline, hidden at first.
"""
from paraview.simple import *  # noqa: F403, which is how states are written

SERIES = )python" +
      series + R"python(

view = GetActiveViewOrCreate("RenderView")
run = OpenDataFile(SERIES)
RenameSource("run", run)
last = run.TimestepValues[-1] if hasattr(run.TimestepValues, "__len__") else run.TimestepValues
GetAnimationScene().UpdateAnimationUsingDataTimeSteps()
view.ViewTime = GetAnimationScene().AnimationTime = last
UpdatePipeline(last, run)

surface = ExtractSurface(Input=run, registrationName="surface")
shown = Show(surface, view)
ColorBy(shown, ("CELLS", "piece"))
GetColorTransferFunction("piece").ApplyPreset("Rainbow Uniform", True)
shown.RescaleTransferFunctionToDataRange(False)
shown.SetScalarBarVisibility(view, False)

if run.CellData.GetArray("stress") is not None:
    # of the symmetric tensor xx, yy, zz, xy, yz, zx
    stress = ProgrammableFilter(Input=run, registrationName="largest principal stress")
    stress.Script = """
import numpy as np
for name in inputs[0].CellData.keys():
    output.CellData.append(inputs[0].CellData[name], name)
def principal(s):
    s = np.asarray(s)
    m = s[:, [0, 3, 5, 3, 1, 4, 5, 4, 2]].reshape(-1, 3, 3) if s.ndim == 2 else s
    return np.linalg.eigvalsh(m)[:, -1]
output.CellData.append(principal(inputs[0].CellData["stress"]), "max_principal_stress")
"""
    stress_surface = ExtractSurface(Input=stress, registrationName="stress on the surface")
    ColorBy(Show(stress_surface, view), ("CELLS", "max_principal_stress"))
    Hide(stress_surface, view)

motion = Calculator(Input=surface, registrationName="speed")
motion.ResultArrayName = "speed"
motion.Function = "mag(velocity)"
Show(motion, view)
Hide(motion, view)

view.OrientationAxesVisibility = 1
ResetCamera(view)
focus = view.CameraFocalPoint
view.CameraPosition = [focus[0] + 0.55, focus[1] - 0.75, focus[2] + 0.42]
view.CameraViewUp = [0, 0, 1]
ResetCamera(view)
Render(view)
)python";
  return text;
}

}  // namespace brisance::exports

"""What tests need to call the C library (include/brisance/runtime/impact.h) through ctypes."""
import ctypes


class Impact(ctypes.Structure):
    _fields_ = [("point", ctypes.c_double * 3), ("direction", ctypes.c_double * 3), ("strength", ctypes.c_double),
                ("threshold", ctypes.c_double), ("smear", ctypes.c_int32), ("method", ctypes.c_int32)]

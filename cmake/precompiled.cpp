/// Owns the precompiled header.

# Where each kind of package puts the tree: Debian's below /usr, the tar in its own folder.
if(CPACK_GENERATOR STREQUAL DEB)
  set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
endif()

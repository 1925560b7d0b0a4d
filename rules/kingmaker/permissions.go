package kingmaker

// Permissions at locations (PERMIT, REVOKE, KM-5.0).

var permissionForms []form

var permissionReasons []reason

// endPermissions ends those that do not stand, with their Round.
func (a *act) endPermissions() {}

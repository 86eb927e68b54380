"""Which conformers differ in their rings: puckers, axial and equatorial, macrocycles' backbones."""

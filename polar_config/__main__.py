"""``python -m polar_config`` runs the command `polar-config`."""

import sys

from polar_config.cli import main

sys.exit(main())

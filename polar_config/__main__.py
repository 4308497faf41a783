"""`python -m polar_config`: the same as the command `polar-config`."""

import sys

from polar_config.cli import main

if __name__ == "__main__":
    sys.exit(main())

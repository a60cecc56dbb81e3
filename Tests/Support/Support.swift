public import Quantities

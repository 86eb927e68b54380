"""Points and directions in space, as tuples (Å)."""
import math

distance = math.dist


def minus(a, b):
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a, b):
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def unit(a):
    length = math.sqrt(dot(a, a))
    return tuple(x / length for x in a) if length > 0 else a


def direction(a, b):
    """From a to b."""
    return unit(minus(b, a))


def angle(a, b):
    """Between two directions, degrees."""
    lengths = math.sqrt(dot(a, a)) * math.sqrt(dot(b, b))
    return math.degrees(math.acos(min(max(dot(a, b) / lengths, -1.0), 1.0))) if lengths > 0 else 0.0


def angle_at(a, b, c):
    """a-b-c, degrees."""
    return angle(direction(b, a), direction(b, c))


def height(point, plane):
    """Å between a point and the plane of three others."""
    a, b, c = plane
    return abs(dot(minus(point, a), unit(cross(direction(a, b), direction(a, c)))))

/* Rotations as unit quaternions, and poses: vectors of them.
 *
 * A pose's Euler angles (a, b, c) mean R = Rz(c) Ry(b) Rx(a).  Rotations are composed as
 * quaternions, never by adding angles. */

#define BERTH_FULL_TURN 6.28318530717958648f

struct point {
    vector x, y, z; /* Å */
};

struct quaternion {
    vector x, y, z, w; /* vector part, scalar part */
};

struct pose {
    struct quaternion rotation; /* of length 1 */
    struct point shift;
};

static struct quaternion quaternion_product(struct quaternion p, struct quaternion q)
{
    const struct quaternion product = {p.w * q.x + p.x * q.w + p.y * q.z - p.z * q.y,
                                       p.w * q.y - p.x * q.z + p.y * q.w + p.z * q.x,
                                       p.w * q.z + p.x * q.y - p.y * q.x + p.z * q.w,
                                       p.w * q.w - p.x * q.x - p.y * q.y - p.z * q.z};
    return product;
}

static struct quaternion quaternion_of_angles(vector a, vector b, vector c)
{
    const vector ca = cos(0.5f * a), sa = sin(0.5f * a);
    const vector cb = cos(0.5f * b), sb = sin(0.5f * b);
    const vector cc = cos(0.5f * c), sc = sin(0.5f * c);
    const struct quaternion made = {sa * cb * cc - ca * sb * sc, ca * sb * cc + sa * cb * sc,
                                    ca * cb * sc - sa * sb * cc, ca * cb * cc + sa * sb * sc};
    return made;
}

struct angles {
    vector a, b, c; /* rad */
};

/* Euler angles of a unit quaternion.  Both elements of the middle angle's tangent are used, so
 * that it stays exact near ±90°, where only the sum or difference of the other two is defined. */
static struct angles angles_of_quaternion(struct quaternion q)
{
    const vector r00 = 1 - 2 * (q.y * q.y + q.z * q.z);
    const vector r10 = 2 * (q.x * q.y + q.w * q.z);
    const vector r20 = 2 * (q.x * q.z - q.w * q.y);
    const vector r21 = 2 * (q.y * q.z + q.w * q.x);
    const vector r22 = 1 - 2 * (q.x * q.x + q.y * q.y);
    const struct angles angles = {atan2(r21, r22), atan2(-r20, sqrt(r00 * r00 + r10 * r10)),
                                  atan2(r10, r00)};
    return angles;
}

/* The poses `index`, lane by lane, of a conformer's structure of arrays: six planes (angles, then
 * translation) of `stride` floats each. */
static struct point load_shifts(global const float *planes, int stride, ivector index)
{
    const struct point shifts = {gather(planes + 3 * stride, index),
                                 gather(planes + 4 * stride, index),
                                 gather(planes + 5 * stride, index)};
    return shifts;
}

static struct pose load_poses(global const float *planes, int stride, ivector index)
{
    const struct pose poses = {quaternion_of_angles(gather(planes, index),
                                                    gather(planes + stride, index),
                                                    gather(planes + 2 * stride, index)),
                               load_shifts(planes, stride, index)};
    return poses;
}

/* Writes poses number first, first + 1 ... of a conformer's structure of arrays. */
static void store_poses(struct pose pose, global float *planes, int stride, int first)
{
    const struct angles angles = angles_of_quaternion(pose.rotation);
    store_vector(angles.a, planes, first, stride);
    store_vector(angles.b, planes + stride, first, stride);
    store_vector(angles.c, planes + 2 * stride, first, stride);
    store_vector(pose.shift.x, planes + 3 * stride, first, stride);
    store_vector(pose.shift.y, planes + 4 * stride, first, stride);
    store_vector(pose.shift.z, planes + 5 * stride, first, stride);
}

/* Mean square distance (Å²) between a conformer's heavy atoms in two poses, exactly and without
 * its atoms: with v the vector part of the rotation between the poses and J the inertia tensor
 * tr(G) 1 - G of the mean G = <x xᵀ> of the centred atoms, it is |shift|² + 4 vᵀ J v.  (tr(R G) =
 * (1 - 2 |v|²) tr(G) + 2 vᵀ G v for the rotation matrix R of a unit quaternion; <|R x - x|²> =
 * 2 tr(G) - 2 tr(R G).) */
static vector mean_square_distance(struct pose p, struct pose q, const float inertia[6])
{
    const struct quaternion inverse = {-p.rotation.x, -p.rotation.y, -p.rotation.z, p.rotation.w};
    const struct quaternion v = quaternion_product(inverse, q.rotation);
    const vector turned =
        inertia[0] * v.x * v.x + inertia[1] * v.y * v.y + inertia[2] * v.z * v.z +
        2 * (inertia[3] * v.x * v.y + inertia[4] * v.x * v.z + inertia[5] * v.y * v.z);
    const vector x = p.shift.x - q.shift.x, y = p.shift.y - q.shift.y, z = p.shift.z - q.shift.z;
    return x * x + y * y + z * z + 4 * turned;
}

/* Rotations as unit quaternions (x, y, z: vector part, w: scalar part), and poses.
 *
 * A pose's Euler angles (a, b, c) mean R = Rz(c) Ry(b) Rx(a).  Rotations are composed as
 * quaternions, never by adding angles. */

struct pose {
    float4 rotation; /* unit quaternion */
    float3 shift;    /* Å */
};

static float4 quaternion_product(float4 p, float4 q)
{
    return (float4)(p.w * q.x + p.x * q.w + p.y * q.z - p.z * q.y,
                    p.w * q.y - p.x * q.z + p.y * q.w + p.z * q.x,
                    p.w * q.z + p.x * q.y - p.y * q.x + p.z * q.w,
                    p.w * q.w - p.x * q.x - p.y * q.y - p.z * q.z);
}

static float4 quaternion_of_angles(float a, float b, float c)
{
    float ca = cos(0.5f * a), sa = sin(0.5f * a);
    float cb = cos(0.5f * b), sb = sin(0.5f * b);
    float cc = cos(0.5f * c), sc = sin(0.5f * c);
    return (float4)(sa * cb * cc - ca * sb * sc, ca * sb * cc + sa * cb * sc,
                    ca * cb * sc - sa * sb * cc, ca * cb * cc + sa * sb * sc);
}

/* Euler angles of a unit quaternion.  Both elements of the middle angle's tangent are used, so
 * that it stays exact near ±90°, where only the sum or difference of the other two is defined. */
static float3 angles_of_quaternion(float4 q)
{
    float r00 = 1 - 2 * (q.y * q.y + q.z * q.z);
    float r10 = 2 * (q.x * q.y + q.w * q.z);
    float r20 = 2 * (q.x * q.z - q.w * q.y);
    float r21 = 2 * (q.y * q.z + q.w * q.x);
    float r22 = 1 - 2 * (q.x * q.x + q.y * q.y);
    return (float3)(atan2(r21, r22), atan2(-r20, sqrt(r00 * r00 + r10 * r10)), atan2(r10, r00));
}

/* Pose number `index` of a conformer's structure of arrays: six planes (angles, then translation)
 * of `stride` floats each. */
static struct pose load_pose(global const float *planes, int stride, int index)
{
    global const float *at = planes + index;
    struct pose pose;
    pose.rotation = quaternion_of_angles(at[0], at[stride], at[2 * stride]);
    pose.shift = (float3)(at[3 * stride], at[4 * stride], at[5 * stride]);
    return pose;
}

static void store_pose(struct pose pose, global float *planes, int stride, int index)
{
    float3 angles = angles_of_quaternion(pose.rotation);
    global float *at = planes + index;
    at[0] = angles.x;
    at[stride] = angles.y;
    at[2 * stride] = angles.z;
    at[3 * stride] = pose.shift.x;
    at[4 * stride] = pose.shift.y;
    at[5 * stride] = pose.shift.z;
}

/* Mean square distance (Å²) between a conformer's heavy atoms in two poses, exactly and without
 * its atoms: with v the vector part of the rotation between the poses and J the inertia tensor
 * tr(G) 1 - G of the mean G = <x xᵀ> of the centred atoms, it is |shift|² + 4 vᵀ J v.  (tr(R G) =
 * (1 - 2 |v|²) tr(G) + 2 vᵀ G v for the rotation matrix R of a unit quaternion; <|R x - x|²> =
 * 2 tr(G) - 2 tr(R G).) */
static float mean_square_distance(struct pose p, struct pose q, const float inertia[6])
{
    float4 inverse = (float4)(-p.rotation.xyz, p.rotation.w);
    float4 v = quaternion_product(inverse, q.rotation);
    float turned = inertia[0] * v.x * v.x + inertia[1] * v.y * v.y + inertia[2] * v.z * v.z +
                   2 * (inertia[3] * v.x * v.y + inertia[4] * v.x * v.z + inertia[5] * v.y * v.z);
    float3 shift = p.shift - q.shift;
    return dot(shift, shift) + 4 * turned;
}

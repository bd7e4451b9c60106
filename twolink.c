/* twolink: two-link arm in the vertical plane, 2R. Written by blockdyn.
   Numbers: Spong and Vidyasagar, Robot Dynamics and Control (1989), figure 3-6; numbers as in
   petercorke/robotics-toolbox-matlab, models/mdl_twolink.m
   Base and tool included; gravity 0, 0, -9.81 m/s2 in world axes. Matrices are stored row by row. */
#include <math.h>

/* pose of the tool in the world. q (2) in rad or m. Result: 4 x 4; m. 8 sums and products. */
void twolink_fkine(const double q[2], double T[4][4])
{
    const double x0 = sin(q[0]);
    const double x1 = cos(q[0]);
    const double x2 = sin(q[1]);
    const double x3 = cos(q[1]);
    const double x4 = x1 * x3 - x0 * x2;
    const double x5 = x0 * x3 + x1 * x2;
    T[0][0] = x4;
    T[0][1] = -x5;
    T[0][2] = 0.0;
    T[0][3] = x1 + x4;
    T[1][0] = 0.0;
    T[1][1] = 0.0;
    T[1][2] = -1.0;
    T[1][3] = 0.0;
    T[2][0] = x5;
    T[2][1] = x4;
    T[2][2] = 0.0;
    T[2][3] = x0 + x5;
    T[3][0] = 0.0;
    T[3][1] = 0.0;
    T[3][2] = 0.0;
    T[3][3] = 1.0;
}

/* [v; w] = J(q) qd of the tool, in world axes. q (2) in rad or m. Result: 6 x 2; m/s, rad/s per
   rad/s or m/s. 10 sums and products. */
void twolink_jacobian(const double q[2], double J[6][2])
{
    const double x0 = sin(q[0]);
    const double x1 = cos(q[0]);
    const double x2 = sin(q[1]);
    const double x3 = cos(q[1]);
    const double x4 = x1 + (x1 * x3 - x0 * x2);
    const double x5 = x0 + (x0 * x3 + x1 * x2);
    J[0][0] = -x5;
    J[0][1] = -(x5 - x0);
    J[1][0] = 0.0;
    J[1][1] = 0.0;
    J[2][0] = x4;
    J[2][1] = x4 - x1;
    J[3][0] = 0.0;
    J[3][1] = 0.0;
    J[4][0] = -1.0;
    J[4][1] = -1.0;
    J[5][0] = 0.0;
    J[5][1] = 0.0;
}

/* tau = M(q) qdd + C(q, qd) qd + g(q) + f(qd): inverse dynamics. q (2) in rad or m; qd (2) in rad/s
   or m/s; qdd (2) in rad/s2 or m/s2. Result: 2; N m or N. 29 sums and products. */
void twolink_rne(const double q[2], const double qd[2], const double qdd[2], double tau[2])
{
    const double x0 = cos(q[0]) * 9.81;
    const double x1 = sin(q[1]);
    const double x2 = cos(q[1]);
    const double x3 = sin(q[0]) * 9.81 - qd[0] * qd[0];
    const double x4 = qdd[0] + x0;
    const double x5 = x2 * x4 - x1 * x3;
    const double x6 = qdd[0] + qdd[1];
    const double x7 = qd[0] + qd[1];
    const double x8 = x6 * 0.25 + x5 * 0.5;
    const double x9 = qdd[0] * 0.25 + x0 * 0.5 + (x8 + (x1 * (x2 * x3 + x1 * x4 - x7 * (x7 * 0.5)) +
        x2 * (x5 + x6 * 0.5)));
    tau[0] = x9;
    tau[1] = x8;
}

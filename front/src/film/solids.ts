// Solids: four-cornered faces, some of which slide along an axis, and paths as thin tubes.

import {
  BufferAttribute, BufferGeometry, Color, DoubleSide, FrontSide, Mesh, MeshLambertMaterial, SRGBColorSpace, Vector3,
} from "three";
import { floats, type Faces } from "./data";

export interface Solid {
  mesh: Mesh;
  position: Float32Array;
  slide: Float32Array | null;
  joints: number[];
}

const TRIANGLES = [0, 1, 2, 0, 2, 3];

export function solid(faces: Omit<Faces, "frame">): Solid {
  const corners = floats(faces.corners), normals = floats(faces.normals), colors = floats(faces.colors);
  const along = faces.along ? floats(faces.along) : null;
  const count = normals.length / 3;
  const position = new Float32Array(18 * count), normal = new Float32Array(18 * count);
  const color = new Float32Array(18 * count), slide = along && new Float32Array(18 * count);
  const joints: number[] = [], paint = new Color();
  for (let face = 0; face < count; face++) {
    paint.setRGB(colors[3 * face], colors[3 * face + 1], colors[3 * face + 2], SRGBColorSpace);
    TRIANGLES.forEach((corner, i) => {
      const to = 18 * face + 3 * i, from = 12 * face + 3 * corner;
      position.set(corners.subarray(from, from + 3), to);
      normal.set(normals.subarray(3 * face, 3 * face + 3), to);
      color.set(paint.toArray(), to);
      if (slide && along && faces.joint) {
        slide.set(along.subarray(from, from + 3), to);
        joints.push(faces.joint[4 * face + corner]);
      }
    });
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(position.slice(), 3));
  geometry.setAttribute("normal", new BufferAttribute(normal, 3));
  geometry.setAttribute("color", new BufferAttribute(color, 3));
  const side = slide ? DoubleSide : FrontSide;
  const mesh = new Mesh(geometry, new MeshLambertMaterial({ vertexColors: true, side }));
  mesh.frustumCulled = false;
  return { mesh, position, slide, joints };
}

export interface Tube {
  mesh: Mesh;
  /** Indices of the geometry a segment of the path. */
  segment: number;
}

export function tube(points: Float32Array, radius: number, color: string): Tube {
  const count = points.length / 3, sides = 6, index: number[] = [];
  const position = new Float32Array(3 * sides * count), normal = new Float32Array(3 * sides * count);
  const at = (i: number) => new Vector3(points[3 * i], points[3 * i + 1], points[3 * i + 2]);
  const side = new Vector3(), up = new Vector3(), tangent = new Vector3(0, 0, 1);
  for (let i = 0; i < count; i++) {
    const way = at(Math.min(i + 1, count - 1)).sub(at(Math.max(i - 1, 0)));
    if (way.length() > 0) tangent.copy(way).normalize();
    if (side.lengthSq() === 0) side.set(tangent.z, tangent.x, tangent.y).cross(tangent);
    side.addScaledVector(tangent, -side.dot(tangent)).normalize();
    up.crossVectors(tangent, side);
    for (let k = 0; k < sides; k++) {
      const angle = (2 * Math.PI * k) / sides, to = 3 * (sides * i + k);
      const out = side.clone().multiplyScalar(Math.cos(angle)).addScaledVector(up, Math.sin(angle));
      normal.set(out.toArray(), to);
      position.set(at(i).addScaledVector(out, radius).toArray(), to);
    }
    for (let k = 0; i && k < sides; k++) {
      const a = sides * (i - 1) + k, b = sides * (i - 1) + ((k + 1) % sides);
      index.push(a, b, b + sides, a, b + sides, a + sides);
    }
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(position, 3));
  geometry.setAttribute("normal", new BufferAttribute(normal, 3));
  geometry.setIndex(index);
  const mesh = new Mesh(geometry, new MeshLambertMaterial({ color: new Color(color) }));
  mesh.frustumCulled = false;
  return { mesh, segment: 6 * sides };
}

// Painter: draws the films of a page with three.js, plays them, and lets the eye go round them.

const data = JSON.parse(document.getElementById("data").textContent);
const by = (id) => document.getElementById(id);
const floats = (text) => new Float32Array(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer);
const linear = (color) => new THREE.Color(color);
const span = Math.hypot(...data.high.map((high, i) => high - data.low[i]));
const middle = new THREE.Vector3(...data.low.map((low, i) => (low + data.high[i]) / 2));
const times = floats(data.times);
const first = times[0], last = times[times.length - 1];

// ---- the stage ----

const scene = new THREE.Scene();
scene.background = new THREE.Color("#fbfcfd");
const sun = new THREE.DirectionalLight("#ffffff", 2.1);
scene.add(new THREE.HemisphereLight("#ffffff", "#aab2bd", 1.9), sun, sun.target);
sun.position.set(middle.x - 0.2 * span, middle.y - 0.3 * span, data.floor + 1.6 * span);
sun.target.position.set(middle.x, middle.y, data.floor);
sun.castShadow = true;
sun.shadow.mapSize.set(2048, 2048);
sun.shadow.radius = 4;
Object.assign(sun.shadow.camera, {
  left: -0.75 * span, right: 0.75 * span, bottom: -0.75 * span, top: 0.75 * span, near: 0.1 * span, far: 3 * span,
});

function stage() {
  const cells = 2 * Math.ceil(span / data.step);
  const grid = new THREE.GridHelper(cells * data.step, cells, "#c9ced6", "#e2e6eb");
  const at = [middle.x, middle.y].map((x) => Math.round(x / data.step) * data.step);
  grid.rotation.x = Math.PI / 2;
  grid.position.set(at[0], at[1], data.floor);
  const floor = new THREE.Mesh(
    new THREE.PlaneGeometry(cells * data.step, cells * data.step),
    new THREE.ShadowMaterial({ opacity: 0.16 }),
  );
  floor.position.set(at[0], at[1], data.floor - 1e-3 * span);
  floor.receiveShadow = true;
  scene.add(grid, floor, solid(data.still).mesh);
}

// ---- solids: four-cornered faces, some of which slide along an axis ----

function solid(faces) {
  const corners = floats(faces.corners), normals = floats(faces.normals), colors = floats(faces.colors);
  const along = faces.along ? floats(faces.along) : null;
  const count = normals.length / 3, order = [0, 1, 2, 0, 2, 3];
  const position = new Float32Array(18 * count), normal = new Float32Array(18 * count);
  const color = new Float32Array(18 * count), slide = along && new Float32Array(18 * count);
  const joints = [], paint = new THREE.Color();
  for (let face = 0; face < count; face++) {
    paint.setRGB(...colors.subarray(3 * face, 3 * face + 3), THREE.SRGBColorSpace);
    order.forEach((corner, i) => {
      const to = 18 * face + 3 * i, from = 12 * face + 3 * corner;
      position.set(corners.subarray(from, from + 3), to);
      normal.set(normals.subarray(3 * face, 3 * face + 3), to);
      color.set(paint.toArray(), to);
      if (slide) {
        slide.set(along.subarray(from, from + 3), to);
        joints.push(faces.joint[4 * face + corner]);
      }
    });
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(position.slice(), 3));
  geometry.setAttribute("normal", new THREE.BufferAttribute(normal, 3));
  geometry.setAttribute("color", new THREE.BufferAttribute(color, 3));
  const side = slide ? THREE.DoubleSide : THREE.FrontSide;
  const mesh = new THREE.Mesh(geometry, new THREE.MeshLambertMaterial({ vertexColors: true, side, shadowSide: side }));
  mesh.castShadow = true;
  mesh.frustumCulled = false;
  return { mesh, position, slide, joints };
}

// ---- paths as thin tubes ----

function tube(points, radius, color) {
  const count = points.length / 3, sides = 6, index = [];
  const position = new Float32Array(3 * sides * count), normal = new Float32Array(3 * sides * count);
  const at = (i) => new THREE.Vector3(points[3 * i], points[3 * i + 1], points[3 * i + 2]);
  const side = new THREE.Vector3(), up = new THREE.Vector3(), tangent = new THREE.Vector3(0, 0, 1);
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
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(position, 3));
  geometry.setAttribute("normal", new THREE.BufferAttribute(normal, 3));
  geometry.setIndex(index);
  const mesh = new THREE.Mesh(geometry, new THREE.MeshLambertMaterial({ color: linear(color) }));
  mesh.frustumCulled = false;
  return { mesh, segment: 6 * sides };
}

// ---- films: bodies whose frames move ----

function film(given) {
  const p = floats(given.p), q = floats(given.q), strokes = floats(given.strokes);
  const pathTimes = floats(given.pathTimes), frames = given.frames, joints = strokes.length / times.length;
  const groups = given.solids.map((faces) => {
    const part = solid(faces);
    scene.add(part.mesh);
    return { ...part, frame: faces.frame };
  });
  const thin = 0.0016 * span;
  const trail = tube(floats(given.path), thin, given.trail);
  scene.add(trail.mesh);
  if (given.reference) scene.add(tube(floats(given.reference), 0.6 * thin, data.grey).mesh);
  const axes = new THREE.AxesHelper(0.13 * given.extent);
  axes.setColors(...data.triad.map(linear));
  scene.add(axes);
  const tip = new THREE.Vector3(), turn = new THREE.Quaternion(), place = new THREE.Vector3();
  const a = new THREE.Vector3(), b = new THREE.Quaternion();

  function put(frame, i, s, object) {
    const here = frames * i + frame, next = frames * Math.min(i + 1, times.length - 1) + frame;
    place.fromArray(p, 3 * here).lerp(a.fromArray(p, 3 * next), s);
    turn.fromArray(q, 4 * here).slerp(b.fromArray(q, 4 * next), s);
    object.position.copy(place);
    object.quaternion.copy(turn);
  }

  function show(i, s, t) {
    for (const group of groups) {
      put(group.frame, i, s, group.mesh);
      if (!group.slide) continue;
      const to = group.mesh.geometry.attributes.position, next = Math.min(i + 1, times.length - 1);
      for (let v = 0; v < group.joints.length; v++) {
        const j = group.joints[v];
        const stroke = (1 - s) * strokes[joints * i + j] + s * strokes[joints * next + j];
        for (let k = 3 * v; k < 3 * v + 3; k++) to.array[k] = group.position[k] + stroke * group.slide[k];
      }
      to.needsUpdate = true;
    }
    put(frames - 1, i, s, axes);
    tip.copy(axes.position);
    const from = Math.max(0, before(pathTimes, t - data.trail)), to = before(pathTimes, t);
    trail.mesh.geometry.setDrawRange(from * trail.segment, Math.max(0, to - from) * trail.segment);
    trail.mesh.visible = data.trail > 0;
  }
  return { show, tip, extent: given.extent };
}

/** The last sample at or before t. */
function before(instants, t) {
  let low = 0, high = instants.length - 1;
  if (t < instants[0]) return 0;
  while (low < high) {
    const half = (low + high + 1) >> 1;
    if (instants[half] <= t) low = half;
    else high = half - 1;
  }
  return low;
}

// Coded: columns of numbers as pages/finished/scopes.py writes them: bytes by their place in the number, deflated, base64.

export async function inflated(text: string): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** The numbers' bytes, of which the first of all stand first, then the second of all ... */
async function gathered(text: string, size: number): Promise<ArrayBuffer> {
  const planes = await inflated(text), count = planes.length / size, bytes = new Uint8Array(planes.length);
  for (let k = 0; k < size; k++) for (let i = 0; i < count; i++) bytes[size * i + k] = planes[count * k + i];
  return bytes.buffer;
}

export async function doubles(text: string): Promise<Float64Array> {
  return new Float64Array(await gathered(text, 8));
}

export interface Coded {
  middle: number;
  scale: number;
  data: string;
}

/** Single numbers from -1 to 1 about a middle: seven digits of a line's range. */
export async function values(coded: Coded): Promise<Float64Array> {
  const singles = new Float32Array(await gathered(coded.data, 4));
  return Float64Array.from(singles, (part) => coded.middle + coded.scale * part);
}

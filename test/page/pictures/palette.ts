import { readFileSync, writeFileSync } from 'node:fs';
import { crc32, deflateSync, inflateSync } from 'node:zlib';

const signature = Buffer.from('89504e470d0a1a0a', 'hex');
const colors = 256;
/** How many of the most frequent colours of a screenshot are kept unchanged. */
const exact = 128;

interface Image {
  readonly width: number;
  readonly height: number;
  /** Three bytes a pixel. */
  readonly pixels: Buffer;
}

/** Writes a screenshot again with at most 256 colours, which takes half of its bytes. */
export function reduceColors(path: string): void {
  writeFileSync(path, encoded(decoded(readFileSync(path))));
}

/** @throws Error when it is no PNG with three bytes a pixel, as Chromium writes them */
function decoded(file: Buffer): Image {
  const chunks = [...chunksOf(file)];
  const header = chunks.find(({ type }) => type === 'IHDR')?.data ?? Buffer.alloc(13);
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  if (header.toString('hex', 8) !== '0802000000') throw new Error('this is no PNG with 8 bits of red, green and blue');
  const data = inflateSync(Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map((one) => one.data)));
  const stride = 3 * width;
  const pixels = Buffer.alloc(stride * height);
  for (let row = 0; row < height; row += 1) {
    const from = row * (stride + 1);
    unfilter(data[from] ?? 0, data.subarray(from + 1, from + 1 + stride), pixels, row * stride, stride);
  }
  return { width, height, pixels };
}

function* chunksOf(file: Buffer): Generator<{ readonly type: string; readonly data: Buffer }> {
  for (let at = signature.length; at < file.length; ) {
    const length = file.readUInt32BE(at);
    yield { type: file.toString('latin1', at + 4, at + 8), data: file.subarray(at + 8, at + 8 + length) };
    at += length + 12;
  }
}

/** Undoes what a row was filtered by, into its place among the pixels. */
function unfilter(filter: number, row: Buffer, pixels: Buffer, to: number, stride: number): void {
  for (const [at, byte] of row.entries()) {
    const left = at < 3 ? 0 : (pixels[to + at - 3] ?? 0);
    const up = to === 0 ? 0 : (pixels[to + at - stride] ?? 0);
    const corner = at < 3 || to === 0 ? 0 : (pixels[to + at - stride - 3] ?? 0);
    const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter] ?? 0;
    pixels[to + at] = byte + guess;
  }
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const [byLeft, byUp, byCorner] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  if (byLeft <= byUp && byLeft <= byCorner) return left;
  return byUp <= byCorner ? up : corner;
}

function encoded({ width, height, pixels }: Image): Buffer {
  const palette = paletteOf(pixels);
  const nearest = new Map<number, number>(palette.map((color, index) => [color, index]));
  const rows = Buffer.alloc((width + 1) * height);
  for (let at = 0; at < width * height; at += 1) {
    const color = pixels.readUIntBE(3 * at, 3);
    let index = nearest.get(color);
    if (index === undefined) {
      index = nearestOf(palette, color);
      nearest.set(color, index);
    }
    rows[at + Math.floor(at / width) + 1] = index;
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3], 8);
  const table = Buffer.from(palette.flatMap(partsOf));
  const data = deflateSync(rows, { level: 9, memLevel: 9 });
  return Buffer.concat([signature, chunk('IHDR', header), chunk('PLTE', table), chunk('IDAT', data), chunk('IEND')]);
}

function chunk(type: string, data: Buffer = Buffer.alloc(0)): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const whole = Buffer.alloc(body.length + 8);
  whole.writeUInt32BE(data.length, 0);
  whole.set(body, 4);
  whole.writeUInt32BE(crc32(body), body.length + 4);
  return whole;
}

/** The frequent colours themselves, and others that are each near to some of the rest; each as one number. */
function paletteOf(pixels: Buffer): number[] {
  const counts = new Map<number, number>();
  for (let at = 0; at < pixels.length; at += 3) {
    const color = pixels.readUIntBE(at, 3);
    counts.set(color, (counts.get(color) ?? 0) + 1);
  }
  const byCount = [...counts].sort(([, one], [, other]) => other - one).map(([color]) => color);
  for (let near = 0; ; near += 4) {
    const palette = byCount.slice(0, exact);
    for (const color of byCount.slice(exact))
      if (!palette.some((other) => distance(color, other) <= near ** 2)) palette.push(color);
    if (palette.length <= colors) return palette;
  }
}

function nearestOf(palette: readonly number[], color: number): number {
  let best = 0;
  for (const [index, other] of palette.entries()) {
    if (distance(color, other) < distance(color, palette[best] ?? 0)) best = index;
  }
  return best;
}

/** How far apart two colours are, squared. */
function distance(one: number, other: number): number {
  return [16, 8, 0].reduce((sum, bits) => sum + (((one >> bits) & 255) - ((other >> bits) & 255)) ** 2, 0);
}

const partsOf = (color: number): number[] => [color >> 16, (color >> 8) & 255, color & 255];

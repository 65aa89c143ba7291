/** Small pictures: the parts of each format that are read, and an end. */

const be32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
const be16 = (value: number) => be32(value).subarray(2);
const le16 = (value: number) => Buffer.from(be16(value)).reverse();

export const png = (width = 2, height = 2, more = '') =>
  Buffer.concat([
    Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
    be32(width),
    be32(height),
    Buffer.from('0802000000', 'hex'),
    Buffer.alloc(4),
    Buffer.from(more),
    Buffer.from('0000000049454e44ae426082', 'hex'),
  ]);

export const jpeg = (width = 2, height = 2) =>
  Buffer.concat([
    Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex'),
    Buffer.from('ffc0001108', 'hex'),
    be16(height),
    be16(width),
    Buffer.from('03012200021101031101ffd9', 'hex'),
  ]);

export const gif = (width = 2, height = 2) =>
  Buffer.concat([Buffer.from('GIF89a'), le16(width), le16(height), Buffer.from('000000', 'hex'), Buffer.from(';')]);

export function webp(width = 2, height = 2): Buffer {
  const chunk = Buffer.alloc(18);
  chunk.write('VP8X');
  chunk.writeUInt32LE(10, 4);
  chunk.writeUIntLE(width - 1, 12, 3);
  chunk.writeUIntLE(height - 1, 15, 3);
  const head = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1');
  head.writeUInt32LE(chunk.length + 4, 4);
  return Buffer.concat([head, chunk]);
}

/** A picture as a part of a form. */
export const picture = (content: Buffer = png(), name = 'me.png', type = 'image/png') =>
  new File([new Uint8Array(content)], name, { type });

import { GIF } from 'image-size/types/gif';
import { JPG } from 'image-size/types/jpg';
import { PNG } from 'image-size/types/png';
import { WEBP } from 'image-size/types/webp';

/** What is stored of an avatar. */
export interface Picture {
  /** ASCII letters, digits, `.`, `_` and `-`, with the extension of its format. */
  readonly filename: string;
  readonly contentType: string;
  readonly content: Buffer;
}

/** A file as it was sent. */
export interface SentPicture {
  readonly filename: string;
  readonly content: Buffer;
}

interface Format {
  readonly reader: {
    readonly validate: (content: Uint8Array) => boolean;
    readonly calculate: (content: Uint8Array) => { readonly width: number; readonly height: number };
  };
  readonly contentType: string;
  /** The first one is given to files that have none of them. */
  readonly extensions: readonly [string, ...string[]];
  /** The first bytes. The reader looks at some of them only. */
  readonly begins: Buffer;
  /** Whether the end is there, as far as that is cheap to say. */
  readonly isWhole: (content: Buffer) => boolean;
}

function bytes(hex: string): Buffer {
  return Buffer.from(hex, 'hex');
}

/** The formats that are accepted, recognised by their content: the name and the media type of a file prove nothing. */
const formats: readonly Format[] = [
  {
    reader: PNG,
    contentType: 'image/png',
    extensions: ['png'],
    begins: bytes('89504e470d0a1a0a'),
    isWhole: (content) => content.includes('IEND'),
  },
  {
    reader: JPG,
    contentType: 'image/jpeg',
    extensions: ['jpg', 'jpeg'],
    begins: bytes('ffd8ff'),
    isWhole: (content) => content.includes(bytes('ffd9')),
  },
  {
    reader: GIF,
    contentType: 'image/gif',
    extensions: ['gif'],
    begins: Buffer.from('GIF8'),
    isWhole: (content) => content.includes(0x3b, 13),
  },
  {
    reader: WEBP,
    contentType: 'image/webp',
    extensions: ['webp'],
    begins: Buffer.from('RIFF'),
    isWhole: (content) => content.length >= 30 && content.readUInt32LE(4) + 8 <= content.length,
  },
];

/** Maximum size in bytes: 200 KiB. */
const maxBytes = 204_800;
/** Maximum width and height in pixels. */
const maxPixels = 4_096;
/** Maximum length of the name before the extension. */
const maxName = 100;

/** The texts of GitLab, which clients show; the second one names formats that GitLab takes, and that are refused here. */
const tooBig = 'is too big (should be at most 200 KiB)';
const unsupported =
  'file format is not supported. Please try one of the following supported formats: png, jpg, jpeg, gif, bmp, tiff, ico, webp';
const tooLarge = `is too large (should be at most ${maxPixels} pixels wide and high)`;

/** The picture in a file, or why it is refused. Only the header is read: nothing is decoded. */
export function pictureIn({ filename, content }: SentPicture): Picture | string {
  if (content.length > maxBytes) return tooBig;
  const format = formats.find(({ begins }) => content.subarray(0, begins.length).equals(begins));
  const size = format && sizeIn(format, content);
  if (!size || !(size.width > 0 && size.height > 0)) return unsupported;
  if (size.width > maxPixels || size.height > maxPixels) return tooLarge;
  return { filename: safeName(filename, format.extensions), contentType: format.contentType, content };
}

/** Undefined for a file that isn't of this format. */
function sizeIn({ reader, isWhole }: Format, content: Buffer): { width: number; height: number } | undefined {
  try {
    return reader.validate(content) && isWhole(content) ? reader.calculate(content) : undefined;
  } catch {
    // Readers throw at the end of a file that is too short.
    return undefined;
  }
}

/** A file name that is safe in a path, with an extension of the format. */
function safeName(sent: string, extensions: readonly string[]): string {
  const own = sent.slice(Math.max(sent.lastIndexOf('/'), sent.lastIndexOf('\\')) + 1);
  const [, stem = own, extension = ''] = /^(.*)\.([^.]*)$/s.exec(own) ?? [];
  const name = stem
    .replaceAll(/[^A-Za-z0-9_-]+/g, '_')
    .slice(0, maxName)
    .replace(/^-/, '_');
  const kept = extensions.includes(extension.toLowerCase()) ? extension.toLowerCase() : extensions[0];
  return `${name || 'avatar'}.${kept}`;
}

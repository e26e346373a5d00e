// Checks a logo that was uploaded, by its bytes: it is one PNG or JPEG picture from the first byte to the last, and of bounded size. Nothing is
// decoded, so no file is expensive. Pure.
import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Logo } from '../database/store.ts';
import { formatNumber } from '../text.ts';

export const MAX_LOGO_BYTES = 200 * 1024;
/** Pixels of each side. A picture then has at most 4,000,000, which each email program can hold. */
export const MIN_SIDE = 16;
export const MAX_SIDE = 2000;

interface Sides {
  readonly width: number;
  readonly height: number;
}

export type LogoErrorCode = 'empty' | 'too_large' | 'other_format' | 'damaged' | 'animated' | 'more' | 'sides' | 'unusual';

const WORDS: Readonly<Record<Exclude<LogoErrorCode, 'sides'>, string>> = {
  empty: 'This file is empty. Choose another.',
  too_large: 'This file has more than 200 KB. Save the picture smaller, or choose another.',
  other_format: 'This file is no PNG or JPEG, whatever its name says. Save the picture as PNG or JPEG.',
  damaged: 'This picture is damaged or incomplete. Save it again, or choose another.',
  animated: 'This picture moves. Choose one that stands still.',
  more: 'This file has more in it than one picture. Save the picture again as PNG or JPEG.',
  unusual: 'Many email programs can’t show this kind of JPEG. Save it for the web, in RGB colors.',
};

export class LogoError extends Error {
  override readonly name = 'LogoError';
  readonly code: LogoErrorCode;

  constructor(code: Exclude<LogoErrorCode, 'sides'> | Sides) {
    super(typeof code === 'string' ? WORDS[code] : wrongSides(code));
    this.code = typeof code === 'string' ? code : 'sides';
  }
}

const wrongSides = ({ width, height }: Sides): string =>
  `This picture has ${formatNumber(width)} × ${formatNumber(height)} pixels. Each side must have ${MIN_SIDE} to ${formatNumber(MAX_SIDE)}.`;

/**
 * Reads no more of a file than a logo may have.
 * @throws {LogoError} And what reading the bytes throws.
 */
export async function readLogo(bytes: AsyncIterable<Buffer>): Promise<Logo> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.length;
    if (size > MAX_LOGO_BYTES) throw new LogoError('too_large');
    chunks.push(chunk);
  }
  return checkLogo(Buffer.concat(chunks));
}

/** @throws {LogoError} */
export function checkLogo(picture: Buffer): Logo {
  if (picture.length === 0) throw new LogoError('empty');
  if (picture.length > MAX_LOGO_BYTES) throw new LogoError('too_large');
  const [extension, sidesOf] = KINDS.find(([, , signature]) => picture.indexOf(signature) === 0) ?? [];
  if (sidesOf === undefined) throw new LogoError('other_format');
  const { width, height } = sidesOf(picture);
  if (Math.min(width, height) < MIN_SIDE || Math.max(width, height) > MAX_SIDE) throw new LogoError({ width, height });
  const hash = createHash('sha256').update(picture).digest('hex').slice(0, 32);
  return { name: `${hash}-${width}x${height}.${extension}`, picture };
}

/** A PNG is a list of chunks from IHDR to IEND, each with a checksum. Source: www.w3.org/TR/png-3, section 5. */
function sidesOfPng(bytes: Buffer): Sides {
  let sides: Sides | undefined;
  let hasData = false;
  for (let at = 8; ; ) {
    if (at + 12 > bytes.length) throw new LogoError('damaged');
    const length = bytes.readUInt32BE(at);
    const end = at + 12 + length;
    if (end > bytes.length || crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4))
      throw new LogoError('damaged');
    const type = bytes.toString('latin1', at + 4, at + 8);
    if ((sides === undefined) !== (type === 'IHDR') || (type === 'IHDR' && length !== 13)) throw new LogoError('damaged');
    sides ??= { width: bytes.readUInt32BE(at + 8), height: bytes.readUInt32BE(at + 12) };
    if (type === 'acTL') throw new LogoError('animated');
    if (type === 'IDAT') hasData = true;
    if (type === 'IEND') {
      if (!hasData) throw new LogoError('damaged');
      if (end < bytes.length) throw new LogoError('more');
      return sides;
    }
    at = end;
  }
}

const START_OF_SCAN = 0xda;
const END_OF_IMAGE = 0xd9;
/** What the web shows: baseline, extended and progressive. */
const FRAMES: readonly number[] = [0xc0, 0xc1, 0xc2];
/** The others say how pictures are compressed that hardly any program shows, except C4, C8 and CC, which aren't frames. */
const isOtherFrame = (marker: number): boolean => marker >= 0xc3 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
/** Markers without a length: in scans, and of pictures inside pictures. */
const isBare = (marker: number): boolean => marker <= 0x01 || (marker >= 0xd0 && marker <= 0xd8);

/** A JPEG is a list of segments, of which some are followed by a scan. Source: ITU-T T.81, annex B. */
function sidesOfJpeg(bytes: Buffer): Sides {
  let sides: Sides | undefined;
  let hasScan = false;
  for (let at = 2; ; ) {
    if (bytes[at] !== 0xff) throw new LogoError('damaged');
    while (bytes[at] === 0xff) at += 1;
    const marker = bytes[at] ?? 0;
    at += 1;
    if (marker === END_OF_IMAGE && sides !== undefined && hasScan) {
      if (at < bytes.length) throw new LogoError('more');
      return sides;
    }
    const length = at + 2 <= bytes.length ? bytes.readUInt16BE(at) : 0;
    if (marker === END_OF_IMAGE || isBare(marker) || length < 2 || at + length > bytes.length) throw new LogoError('damaged');
    if (isOtherFrame(marker)) throw new LogoError('unusual');
    if (FRAMES.includes(marker)) {
      if (sides !== undefined || length < 8) throw new LogoError('damaged');
      // Four components are CMYK, for print.
      if (bytes[at + 7] === 4) throw new LogoError('unusual');
      sides = { height: bytes.readUInt16BE(at + 3), width: bytes.readUInt16BE(at + 5) };
    }
    at += length;
    if (marker === START_OF_SCAN) {
      hasScan = true;
      at = endOfScan(bytes, at);
    }
  }
}

/** Where the marker after the scan begins. In a scan, 00 or a restart marker follows each FF. */
function endOfScan(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at !== -1; at = bytes.indexOf(0xff, at + 2)) {
    const next = bytes[at + 1] ?? 0;
    if (next !== 0 && (next < 0xd0 || next > 0xd7)) return at;
  }
  throw new LogoError('damaged');
}

const KINDS = [
  ['png', sidesOfPng, Buffer.from('89504e470d0a1a0a', 'hex')],
  ['jpg', sidesOfJpeg, Buffer.from('ffd8ff', 'hex')],
] as const;

// Which files are taken as a logo: by their bytes, whatever their names say.
import { createHash } from 'node:crypto';
import t from 'tap';
import { checkLogo, LogoError, type LogoErrorCode, MAX_LOGO_BYTES, readLogo } from '../../src/uploads/logo.ts';
import { chunk, header, jpeg, PNG_SIGNATURE, png, pngOf } from '../fixtures/pictures.ts';

const refusal = (bytes: Buffer): LogoErrorCode | 'taken' => {
  try {
    checkLogo(bytes);
    return 'taken';
  } catch (error) {
    if (error instanceof LogoError) return error.code;
    throw error;
  }
};

t.test('a logo is named by what it is and how large', (t) => {
  const picture = png(240, 80);
  const hash = createHash('sha256').update(picture).digest('hex').slice(0, 32);
  t.equal(checkLogo(picture).name, `${hash}-240x80.png`);
  t.match(checkLogo(jpeg(2000, 16)).name, /^[0-9a-f]{32}-2000x16\.jpg$/);
  t.match(checkLogo(jpeg(300, 100, { frame: 0xc2 })).name, /-300x100\.jpg$/, 'a progressive one');
  t.match(checkLogo(jpeg(300, 100, { components: 1 })).name, /-300x100\.jpg$/, 'a gray one');
  t.match(checkLogo(png(16, 2000)).name, /-16x2000\.png$/);
  t.end();
});

t.test('what is refused, and why', (t) => {
  const good = png(240, 80);
  const broken = Buffer.from(good);
  broken[50] = (broken[50] ?? 0) ^ 1;
  const after = (text: string) => Buffer.concat([good, Buffer.from(text)]);
  const cases: readonly (readonly [what: string, code: LogoErrorCode, bytes: Buffer])[] = [
    ['no bytes', 'empty', Buffer.alloc(0)],
    ['an SVG', 'other_format', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
    ['a GIF', 'other_format', Buffer.from('GIF89a\x01\x00\x01\x00', 'latin1')],
    ['a WebP', 'other_format', Buffer.from('RIFF\x00\x00\x00\x00WEBPVP8 ', 'latin1')],
    ['a PNG behind a script', 'other_format', Buffer.concat([Buffer.from('<script>'), good])],
    ['the beginning of a PNG', 'damaged', PNG_SIGNATURE],
    ['a header alone', 'damaged', Buffer.concat([PNG_SIGNATURE, header(240, 80)])],
    ['a picture without data', 'damaged', Buffer.concat([PNG_SIGNATURE, header(240, 80), chunk('IEND')])],
    ['a short header', 'damaged', Buffer.concat([PNG_SIGNATURE, chunk('IHDR', Buffer.alloc(4)), chunk('IEND')])],
    ['two headers', 'damaged', png(240, 80, header(16, 16))],
    ['no header', 'damaged', Buffer.concat([PNG_SIGNATURE, chunk('IDAT', Buffer.alloc(9)), chunk('IEND')])],
    ['a changed bit', 'damaged', broken],
    ['an animated PNG', 'animated', png(240, 80, chunk('acTL', Buffer.alloc(8)))],
    ['a page after it', 'more', after('<html><script>alert(1)</script>')],
    ['an archive after it', 'more', after('PK\x03\x04')],
    ['a side too short', 'sides', png(15, 100)],
    ['a side too long', 'sides', png(2001, 16)],
    [
      'sides that no memory holds',
      'sides',
      Buffer.concat([PNG_SIGNATURE, header(4_000_000_000, 4_000_000_000), chunk('IDAT'), chunk('IEND')]),
    ],
    ['sides of nothing', 'sides', Buffer.concat([PNG_SIGNATURE, header(0, 0), chunk('IDAT'), chunk('IEND')])],
    ['a JPEG with sides of nothing', 'sides', jpeg(0, 0)],
    ['a JPEG that is too large', 'sides', jpeg(65_535, 65_535)],
    ['the beginning of a JPEG', 'damaged', Buffer.from('ffd8ff', 'hex')],
    ['a JPEG without an end', 'damaged', jpeg(300, 100, { end: Buffer.alloc(0) })],
    ['a JPEG whose scan ends with FF', 'damaged', jpeg(300, 100, { end: Buffer.from([0xff]) })],
    ['a JPEG without a scan', 'damaged', Buffer.from('ffd8ffd9', 'hex')],
    ['a JPEG with a segment that is too long', 'damaged', Buffer.from('ffd8ffe0ffff00', 'hex')],
    ['a JPEG with a segment of no length', 'damaged', Buffer.from('ffd8ffe00000ffd9', 'hex')],
    ['a JPEG for print', 'unusual', jpeg(300, 100, { components: 4 })],
    ['a lossless JPEG', 'unusual', jpeg(300, 100, { frame: 0xc3 })],
    ['a page after a JPEG', 'more', Buffer.concat([jpeg(300, 100), Buffer.from('<html>')])],
    ['a byte more than 200 KB', 'too_large', pngOf(MAX_LOGO_BYTES + 1)],
  ];
  for (const [what, code, bytes] of cases) t.equal(refusal(bytes), code, what);
  t.equal(refusal(pngOf(MAX_LOGO_BYTES)), 'taken', '200 KB');
  for (let length = 1; length < good.length; length += 7)
    if (refusal(good.subarray(0, length)) === 'taken') t.fail(`a PNG of which ${length} bytes are there`);
  const whole = jpeg(300, 100);
  for (let length = 1; length < whole.length; length += 1)
    if (refusal(whole.subarray(0, length)) === 'taken') t.fail(`a JPEG of which ${length} bytes are there`);
  t.throws(() => checkLogo(png(15, 100)), { message: /^This picture has 15 × 100 pixels\. Each side must have 16 to 2,000\.$/ });
  t.end();
});

t.test('no more is read of a file than a logo may have', async (t) => {
  let read = 0;
  async function* endless() {
    for (;;) {
      read += 65_536;
      yield Buffer.alloc(65_536, 0x89);
    }
  }
  await t.rejects(readLogo(endless()), { code: 'too_large' });
  t.equal(read, 4 * 65_536);
});

// The text of a file of unknown encoding, while it is read: UTF-8 with or without a byte order mark, UTF-16, or Windows-1252.
//
// Only UTF-16 is decoded before the file is taken apart: in the others, separators and quotes are the same bytes. Cells are decoded one by one,
// because nobody knows before the end of a file whether all of it is UTF-8.

const UTF8_MARK = '\u{feff}';
type Decoder = InstanceType<typeof TextDecoder>;

const strict = new TextDecoder('utf-8', { fatal: true });
const windows = new TextDecoder('windows-1252');

/** By the byte order mark or, without one, by the zero bytes that UTF-16 has in Latin text. */
function utf16Of(head: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  const [first, second] = head;
  if (first === undefined || second === undefined) return undefined;
  if (first === 0 && second !== 0) return 'utf-16be';
  return first !== 0 && second === 0 ? 'utf-16le' : undefined;
}

/** The bytes without a byte order mark, in UTF-8 or Windows-1252. */
export async function* asciiCompatible(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let decoder: Decoder | undefined;
  let head: Buffer | undefined = Buffer.alloc(0);
  for await (const chunk of bytes) {
    let piece = chunk;
    if (head !== undefined) {
      head = Buffer.concat([head, chunk]);
      if (head.length < 3) continue;
      [piece, head] = [head, undefined];
      decoder = decoderOf(piece);
      if (decoder === undefined) piece = withoutMark(piece);
    }
    yield decoder === undefined ? piece : Buffer.from(decoder.decode(piece, { stream: true }), 'utf8');
  }
  if (head !== undefined) yield withoutMark(head);
  else if (decoder !== undefined) yield Buffer.from(decoder.decode(), 'utf8');
}

function decoderOf(head: Buffer): Decoder | undefined {
  const encoding = utf16Of(head);
  return encoding && new TextDecoder(encoding);
}

const withoutMark = (head: Buffer): Buffer => (head.subarray(0, 3).toString('utf8') === UTF8_MARK ? head.subarray(3) : head);

/** @param latin1 The bytes of a cell, one in each character. */
export function decodeCell(latin1: string): string {
  if (!/[\x80-\xff]/.test(latin1)) return latin1;
  const bytes = Buffer.from(latin1, 'latin1');
  try {
    return strict.decode(bytes);
  } catch {
    return windows.decode(bytes);
  }
}

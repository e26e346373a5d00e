// Sends an answer while it is produced. A failure breaks the connection: the client sees a failed download, not a short file.
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ClientGoneError } from '../errors.ts';

/**
 * @param pieces Ended if the client goes away.
 * @returns undefined: all was sent; otherwise the error.
 */
export async function stream(
  response: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>>,
  pieces: AsyncIterable<string>,
): Promise<unknown> {
  response.writeHead(status, headers);
  try {
    // A piece is a page of rows: one waiting is enough.
    await pipeline(Readable.from(pieces, { highWaterMark: 1 }), response);
    return undefined;
  } catch (error) {
    return error;
  }
}

/** The client has left: while it was sent, before it began, or before its next piece was asked for. */
export const isClientGone = (error: unknown): boolean =>
  error instanceof ClientGoneError ||
  ['ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_UNABLE_TO_PIPE'].includes((error as { code?: string } | null)?.code ?? '');

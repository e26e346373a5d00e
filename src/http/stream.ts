// Sends a response while it is produced. A failure breaks the connection, so that the client sees a failed download, not a short file.
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ClientGoneError } from '../errors.ts';

/**
 * @param pieces The iteration ends early if the client disconnects.
 * @returns Undefined if everything was sent, otherwise the error.
 */
export async function stream(
  response: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>>,
  pieces: AsyncIterable<string>,
): Promise<unknown> {
  response.writeHead(status, headers);
  try {
    // A piece is a page of rows, so buffering one piece is enough.
    await pipeline(Readable.from(pieces, { highWaterMark: 1 }), response);
    return undefined;
  } catch (error) {
    return error;
  }
}

/** Whether the client disconnected: while a piece was sent, before the first one, or before the next one was produced. */
export const isClientGone = (error: unknown): boolean =>
  error instanceof ClientGoneError ||
  ['ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_UNABLE_TO_PIPE'].includes((error as { code?: string } | null)?.code ?? '');

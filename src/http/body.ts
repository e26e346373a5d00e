// Reads a request body of limited size.
import type { IncomingMessage } from 'node:http';
import { ApiError } from '../errors.ts';

/**
 * @throws {ApiError} body_too_large; invalid_json if the caller hangs up. The rest of a body that is too large is read and dropped, so that
 *   the client sees the answer; the server's requestTimeout ends a body that never ends.
 */
export function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxBytes) chunks.push(chunk);
      else {
        chunks.length = 0;
        reject(new ApiError('body_too_large', `The body must be at most ${maxBytes} bytes.`));
      }
    });
    request.on('end', () => resolve(Buffer.concat(chunks)));
    // The caller hung up. Its ECONNRESET must not read as the database's.
    request.on('error', () => reject(new ApiError('invalid_json', 'The body was cut off.')));
  });
}

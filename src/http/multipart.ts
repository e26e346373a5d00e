// Reads forms with a file. The file isn't kept: it is read while it arrives, and the client waits for its reader.
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { Busboy } from '@fastify/busboy';
import { ApiError } from '../errors.ts';
import { toStorable } from '../text.ts';
import { bodyMemory } from './body.ts';

/** Bytes. */
export interface MultipartLimits {
  readonly field: number;
  readonly file: number;
}

export interface UploadedFile {
  /** As the client names it. */
  readonly name: string;
  /**
   * Its bytes, which can be read once.
   * @throws {ApiError} body_too_large; invalid_json: the client hung up.
   */
  readonly bytes: AsyncIterable<Buffer>;
}

export interface MultipartForm {
  /** The fields before the file, without characters that PostgreSQL can't store. */
  readonly fields: URLSearchParams;
  /** Undefined: there is none, or it is empty. */
  readonly file: UploadedFile | undefined;
}

/** More than any of our forms with a file has. */
const MAX_FIELDS = 20;

export const isMultipart = ({ headers }: IncomingMessage): boolean =>
  headers['content-type']?.toLowerCase().startsWith('multipart/form-data') ?? false;

const cutOff = () => new ApiError('invalid_json', 'The form was cut off.');
const tooLarge = (what: string, bytes: number) =>
  new ApiError('body_too_large', `${what} must have at most ${bytes / 1_048_576} MiB.`);

/**
 * Resolves when the file begins, or at the end of a form without one. What nobody reads is dropped.
 * @throws {ApiError} body_too_large; invalid_field: too many fields, or no valid form; invalid_json: the client hung up; not_ready: too many
 * large forms are being read.
 */
export function readMultipart(request: IncomingMessage, limits: MultipartLimits): Promise<MultipartForm> {
  return new Promise((resolve, reject) => {
    const fields = new URLSearchParams();
    let held = 0;
    let file: Readable | undefined;
    const parser = parserOf(request, limits);
    const fail = (error: Error) => {
      request.unpipe(parser);
      request.resume();
      file?.destroy(error);
      reject(error);
    };
    parser.on('field', (name, value, _, isCut) => {
      if (file !== undefined) return;
      held += value.length;
      if (isCut) fail(tooLarge('A text', limits.field));
      else if (!bodyMemory.hold(request, held))
        fail(new ApiError('not_ready', 'Too many large requests are being read. Try again later.', { retryAfterSeconds: 1 }));
      else fields.append(name, toStorable(value));
    });
    parser.on('file', (_, stream, name) => {
      if (name === undefined || name === '') {
        stream.resume();
        return;
      }
      file = stream;
      stream.on('error', () => {});
      stream.on('limit', () => stream.destroy(tooLarge('A file', limits.file)));
      resolve({ fields, file: { name: toStorable(name), bytes: stream as AsyncIterable<Buffer> } });
    });
    for (const event of ['fieldsLimit', 'partsLimit'] as const)
      parser.on(event, () => fail(new ApiError('invalid_field', 'The form has too many fields.')));
    parser.on('error', () => fail(new ApiError('invalid_field', 'The form could not be read.')));
    parser.on('finish', () => resolve({ fields, file: undefined }));
    request.on('close', () => {
      if (!request.complete) fail(cutOff());
    });
    request.pipe(parser);
  });
}

/** @throws {ApiError} invalid_field: the header names no boundary. */
function parserOf(request: IncomingMessage, limits: MultipartLimits) {
  const headers = { ...request.headers, 'content-type': request.headers['content-type'] ?? '' };
  try {
    return new Busboy({
      headers,
      limits: {
        fieldSize: limits.field,
        fileSize: limits.file,
        fields: MAX_FIELDS,
        files: 1,
        parts: MAX_FIELDS + 1,
        headerPairs: 20,
        headerSize: 8192,
      },
    });
  } catch (cause) {
    throw new ApiError('invalid_field', 'The form could not be read.', { cause });
  }
}

/** Reads and drops the rest, so that the client sees the response. */
export function dropRest(request: IncomingMessage): void {
  if (request.readableEnded) return;
  request.unpipe();
  request.resume();
}

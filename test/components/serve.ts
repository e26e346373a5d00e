// Serves the page Components of this checkout: `npm run components` for people, serveComponents() for tests.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerTo } from './page.ts';
import { WAITING } from './pieces.ts';

/** Only this machine reaches it. @param port 0: any that is free. */
export function serveComponents(port: number): Promise<{ url: string; server: Server }> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    if (pathname === WAITING) return;
    const { status, type, body } = answerTo(pathname);
    response.writeHead(status, { 'content-type': `${type}; charset=utf-8` }).end(body);
  });
  return new Promise((resolve) => {
    server.listen(port, '127.0.0.1', () =>
      resolve({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server }),
    );
  });
}

if (import.meta.main) console.log((await serveComponents(Number(process.env.PORT ?? 4321))).url);

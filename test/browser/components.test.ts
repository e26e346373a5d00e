// The page Components is whole with any content: in light, dark, forced colors and at each width.
import t from 'tap';
import { ADDRESSES } from '../components/page.ts';
import { serveComponents } from '../components/serve.ts';
import { inspect, startBrowser } from './browser.ts';

const { open } = await startBrowser(t);

t.test('each piece in each state', async (t) => {
  const { url, server } = await serveComponents(0);
  t.teardown(() => server.close());
  const page = await open(t, { baseURL: url });
  for (const address of ADDRESSES) {
    const answer = await page.goto(address);
    t.equal(answer?.status(), 200, address);
    // The preview stands in a frame, without landmarks.
    await inspect(t, page, `components${address.replace('/', '-')}`, address === '/email-preview');
  }
});

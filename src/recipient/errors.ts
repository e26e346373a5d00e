// Error pages for recipients use the browser's language, because the server may not know which recipient the link belongs to.
import { layout } from '../html/layout.ts';
import type { Handler } from '../http/answer.ts';
import { FramedError } from '../http/error-answer.ts';
import { acceptedLanguage, speak } from '../languages/languages.ts';

export const inBrowserLanguage =
  (handler: Handler): Handler =>
  async (request) => {
    try {
      return await handler(request);
    } catch (error) {
      const voice = speak(acceptedLanguage(request.headers['accept-language']));
      const { language, direction } = voice;
      throw new FramedError(error, { voice, layout: (title, main) => layout(title, main, { language, direction }) });
    }
  };

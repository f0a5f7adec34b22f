/** Few downloads at once in a process: each reads a whole list or book. One person leaves some of them to others. */
import type { Response } from 'express';
import { personOf, visitOf } from './console-context.ts';
import { sendErrorPage } from './error-page.ts';

const maxDownloads = 4;
const maxOfPerson = 2;

export class DownloadSlots {
  /** The person of each running download. */
  readonly #running: string[] = [];

  async use(response: Response, send: () => Promise<void>): Promise<void> {
    const { id } = personOf(response);
    const ofPerson = this.#running.filter((each) => each === id).length;
    if (this.#running.length >= maxDownloads || ofPerson >= maxOfPerson)
      return sendErrorPage(response, 503, visitOf(response).texts.downloadsBusy);
    this.#running.push(id);
    try {
      await send();
    } finally {
      this.#running.splice(this.#running.indexOf(id), 1);
    }
  }
}

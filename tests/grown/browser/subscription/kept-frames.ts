import type { Page } from "playwright";

/**
 * Holds back the server's answers to a dictation until this is resolved: the limit is meant to arrive after the first
 * frames.
 */
export async function holdAnswers(page: Page): Promise<PromiseWithResolvers<void>> {
  const heard = Promise.withResolvers<void>();
  await page.routeWebSocket(/realtime/, (socket) => {
    const server = socket.connectToServer();
    server.onMessage((message) => heard.promise.then(() => socket.send(message)));
    server.onClose((code, reason) =>
      heard.promise.then(() => socket.close({ ...(code && { code }), ...(reason && { reason }) })),
    );
  });
  return heard;
}

/** How many frames of dictations this browser stores. */
export const framesKept = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    const asked = <Result>(request: IDBRequest<Result>) =>
      new Promise<Result>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    const db = await asked(indexedDB.open("parlance-recordings"));
    const count = await asked(db.transaction("frames").objectStore("frames").count());
    db.close();
    return count;
  });

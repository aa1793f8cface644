import type { Page } from "playwright";

/** What the server answers to who dictates waits until this is resolved: before the first frame there is nothing to be kept. */
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

/** How many frames this browser keeps of what was dictated. */
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

import { once } from "node:events";
import { createServer, type IncomingMessage, request } from "node:http";
import { onTestFinished } from "vitest";
import { type S3Environment, sharedS3 } from "#tests/grown/harness-s3.ts";

/** An answer in the bucket's place. */
export interface Refusal {
  status: number;
  /** S3's name of the error: "NoSuchKey". */
  code: string;
}

/**
 * A new bucket behind a proxy that forwards each request, delays it or drops it, as the test says. It ends with the
 * test.
 * @param passes false, perhaps later: the connection is closed; a refusal is sent as the answer when the request has
 *   arrived
 * @returns the environment of a server that uses it
 */
export async function bucketBehind(
  passes: (incoming: IncomingMessage) => boolean | Refusal | Promise<boolean>,
): Promise<S3Environment> {
  const s3 = await sharedS3();
  const to = new URL(s3.endpoint);
  const proxy = createServer(async (incoming, outgoing) => {
    const passing = await passes(incoming);
    if (passing === false) {
      incoming.socket.destroy();
      return;
    }
    if (passing !== true) {
      const { status, code } = passing;
      const said = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>No.</Message></Error>`;
      incoming.resume().on("end", () => outgoing.writeHead(status, { "Content-Type": "application/xml" }).end(said));
      return;
    }
    // Unchanged: the signature includes the address that the client uses.
    const { method, url, headers } = incoming;
    const passed = request({ host: to.hostname, port: to.port, method, path: url, headers, agent: false });
    passed.on("response", (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(outgoing);
    });
    // Some servers (Swift) send a body after a HEAD.
    passed.on("error", () => outgoing.headersSent || outgoing.destroy());
    incoming.pipe(passed);
  }).listen(0, "127.0.0.1");
  await once(proxy, "listening");
  onTestFinished(() => void proxy.close());
  const address = proxy.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return { ...(await s3.newBucket()), S3_ENDPOINT: `http://127.0.0.1:${address.port}` };
}

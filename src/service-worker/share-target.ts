// The Web Share Target (the manifest's `share_target`, scripts/build.mjs): files from another app. The service worker keeps them, the page
// uploads them (src/features/uploads/share-target-files.ts).

/** Where the device posts them: the server has nothing there but a word for who has no service worker yet (server/page/site.ts). */
export const shareTargetPath = "/share-target";
/** Until they are uploaded, or their person signs out. */
export const shareTargetCache = "parlance-shared";
/** A larger file is not kept twice on a telephone (bytes); it can be chosen on the page. */
const maxFileBytes = 512 * 1024 * 1024;
/** Any site can post here: what nobody has uploaded does not grow without end. */
const maxFiles = 20;

/** What became of it: a key of `uploads:shared`, in the address of the page that takes it. */
export type ShareTargetOutcome = "there" | "tooLarge" | "full" | "missed";

/** Keeps the posted files. @returns the redirect to the page that shows them */
export async function keepPostedFiles(request: Request): Promise<Response> {
  const outcome = await keep(request).catch((): ShareTargetOutcome => "full");
  return Response.redirect(`/file-upload-config?shared=${outcome}`, 303);
}

async function keep(request: Request): Promise<ShareTargetOutcome> {
  const form = await request.formData();
  const files = form.getAll("files").filter((part) => part instanceof File && part.size > 0);
  const cache = await caches.open(shareTargetCache);
  let outcome: ShareTargetOutcome = "missed";
  for (const file of files) {
    if (!(file instanceof File)) continue;
    if (file.size > maxFileBytes) {
      outcome = "tooLarge";
      continue;
    }
    const about = { name: file.name, lastModified: String(file.lastModified), type: file.type };
    // The browser reads the file as it writes it: it is never in memory as a whole.
    await cache.put(`/shared-files/${crypto.randomUUID()}?${new URLSearchParams(about)}`, new Response(file));
    if (outcome === "missed") outcome = "there";
  }
  const kept = await cache.keys();
  for (const old of kept.slice(0, -maxFiles)) await cache.delete(old);
  return outcome;
}

// The Web Share Target (`share_target` in the manifest, scripts/build.mjs): files from another app. The service worker
// stores them, and the page uploads them (src/features/uploads/share-target-files.ts).

/**
 * The path to which the device posts files. The server only answers it with an explanation for users without a service
 * worker (server/page/site.ts).
 */
export const shareTargetPath = "/share-target";
/** Holds the files until they are uploaded, or their user signs out. */
export const shareTargetCache = "parlance-shared";
/** A larger file (bytes) is not stored a second time on a phone. The user can choose it on the page. */
const maxFileBytes = 512 * 1024 * 1024;
/** Any site can post here, so the number of stored files is limited. */
const maxFiles = 20;

/** The result: a key of `uploads:shared`, in the address of the page that receives the files. */
export type ShareTargetOutcome = "there" | "tooLarge" | "full" | "missed";

/** Stores the posted files. @returns the redirect to the page that shows them */
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
    // The browser streams the file while writing it, so it is never in memory as a whole.
    await cache.put(`/shared-files/${crypto.randomUUID()}?${new URLSearchParams(about)}`, new Response(file));
    if (outcome === "missed") outcome = "there";
  }
  const kept = await cache.keys();
  for (const old of kept.slice(0, -maxFiles)) await cache.delete(old);
  return outcome;
}

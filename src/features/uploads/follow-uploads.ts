import type { Actor } from "xstate";
import { selectUploads, type UploadRef, type uploadsMachine } from "#machines/uploads/machine.ts";

/**
 * Calls back whenever an upload is changed, added or removed.
 * @param followMore subscribes to further changes of an upload; returns unsubscribe
 */
export function followUploads(
  uploads: Actor<typeof uploadsMachine>,
  onChange: (list: readonly UploadRef[]) => void,
  followMore: (id: string, onChange: () => void) => () => void = () => () => {},
): void {
  const followed = new Map<string, () => void>();
  const report = () => onChange(selectUploads(uploads.getSnapshot()));
  uploads.subscribe((snapshot) => {
    const list = selectUploads(snapshot);
    for (const upload of list) {
      if (followed.has(upload.id)) continue;
      const { unsubscribe } = upload.subscribe(report);
      const leave = followMore(upload.id, report);
      followed.set(upload.id, () => {
        unsubscribe();
        leave();
      });
    }
    for (const [id, leave] of followed) {
      if (list.some((upload) => upload.id === id)) continue;
      leave();
      followed.delete(id);
    }
    report();
  });
}

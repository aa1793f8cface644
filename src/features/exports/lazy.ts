import { lazyPart } from "#src/ui/lazy-part.tsx";

/** Loaded with its texts when somebody opens it. */
export const ExportDialog = lazyPart(async () => (await import("./dialog.tsx")).ExportDialog, "exports");

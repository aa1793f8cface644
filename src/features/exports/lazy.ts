import { lazyPart } from "#src/ui/lazy-part.tsx";

/** The dialog. Loaded with its texts when the user opens it. */
export const ExportDialog = lazyPart(async () => (await import("./dialog.tsx")).ExportDialog, "exports");

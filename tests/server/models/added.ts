import { builtInModel } from "#server/models/built-in.ts";
import type { ModelStore } from "#server/models/store.ts";

const isAdded = ({ id }: { id: string }) => id !== builtInModel.id;

/** Models, and folders of models, that did not come with the product. */
export const addedModels = (store: Pick<ModelStore, "all">) => store.all().filter(isAdded);
export const addedFolders = (store: Pick<ModelStore, "found">) => store.found().filter(isAdded);

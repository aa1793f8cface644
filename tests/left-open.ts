import files, { type FileHandle } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";

// Node 26 ends a process that leaves a file handle to the garbage collector, with an error that names neither the file
// nor the code that opened it. This module names both.

const marked = Symbol.for("parlance.tests.leftOpen");

if (!Reflect.has(files, marked)) {
  Reflect.set(files, marked, true);
  const left = new FinalizationRegistry<string>((opened) => console.error(`Left open: ${opened}`));
  const openFile = files.open;
  const openTraced: typeof openFile = async (...args) => {
    const { stack = "" } = new Error(String(args[0]));
    const handle = await openFile(...args);
    left.register(handle, stack, handle);
    forgetWhenClosed(handle);
    return handle;
  };
  Reflect.set(files, "open", openTraced);
  syncBuiltinESMExports();

  function forgetWhenClosed(handle: FileHandle): void {
    const close = handle.close.bind(handle);
    handle.close = () => {
      left.unregister(handle);
      return close();
    };
  }
}

/** Addresses of style sheets that were asked for: "/assets/panel-Mqu6qjJ.css". */
const sheets = new Map<string, Promise<void>>();

function loadSheet(address: string): Promise<void> {
  const asked = sheets.get(address) ?? addSheet(address);
  sheets.set(address, asked);
  return asked;
}

async function addSheet(address: string): Promise<void> {
  // Those of the page's HTML are there before its script.
  if (document.querySelector(`link[rel=stylesheet][href="${address}"]`)) return;
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const link = Object.assign(document.createElement("link"), { rel: "stylesheet", crossOrigin: "", href: address });
  link.onload = resolve;
  link.onerror = () => {
    // Whoever wants it the next time asks again.
    sheets.delete(address);
    link.remove();
    reject(new Error(`${address} could not be loaded`));
  };
  document.head.append(link);
  await promise;
}

/**
 * What Vite makes of each `import()` in the built page (vite.config.ts): the module, once its style sheets are there. A third of Vite's own, which
 * asks for the script only when it has the style sheets.
 * @param files the style sheets: "assets/panel-Mqu6qjJ.css"
 */
export async function importStyled<Module>(load: () => Promise<Module>, files: readonly string[] = []): Promise<Module> {
  const [module] = await Promise.all([load(), ...files.map((file) => loadSheet(`/${file}`))]);
  return module;
}

// Two routes (with the paths of two of the product's) of React and TanStack Router with as many elements as requested
// (?shell=…&first=…&second=…), and nothing else: the cost of a route change before a page does anything (routes.ts).
import { createRootRoute, createRoute, createRouter, Link, Outlet, RouterProvider } from "@tanstack/react-router";
import { createRoot } from "react-dom/client";

const asked = new URLSearchParams(location.search);
/** How many elements there are around the pages, and in each of them. */
const countOf = (name: string) => Number(asked.get(name) ?? 0);
const counts = { shell: countOf("shell"), first: countOf("first"), second: countOf("second") };

/** Rows of a paragraph with two words in spans of their own: as deep as a page's elements are, with a text in most. */
const rowElements = 4;
function Rows({ elements }: { elements: number }) {
  const rows = Array.from({ length: Math.max(1, Math.round(elements / rowElements)) }, (_, row) => row);
  return rows.map((row) => (
    <div key={row}>
      <p>
        <span>word {row}</span> <span>another</span>
      </p>
    </div>
  ));
}

const rootRoute = createRootRoute({
  component: () => (
    <>
      <nav>
        <Link to="/speech-to-text">First</Link>
        <Link to="/dashboard">Second</Link>
        <Rows elements={counts.shell} />
      </nav>
      <main>
        <Outlet />
      </main>
    </>
  ),
});
const pageAt = (path: "/speech-to-text" | "/dashboard", title: string, elements: number) =>
  createRoute({
    getParentRoute: () => rootRoute,
    path,
    component: () => (
      <>
        <h1>{title}</h1>
        <Rows elements={elements} />
      </>
    ),
  });
const router = createRouter({
  routeTree: rootRoute.addChildren([
    pageAt("/speech-to-text", "First", counts.first),
    pageAt("/dashboard", "Second", counts.second),
  ]),
});

const root = document.getElementById("root");
if (root === null) throw new Error("There is no #root");
createRoot(root).render(<RouterProvider router={router} />);

import { createFileRoute } from "@tanstack/react-router";
import { editorRoute } from "#src/features/blog-admin/pages.ts";

export const Route = createFileRoute("/_signedIn/_admin/blog/admin/editor")(editorRoute());

import { createFileRoute } from "@tanstack/react-router";
import { editorRoute } from "../../../components/blog-admin/pages.ts";

export const Route = createFileRoute("/_signedIn/_admin/admin/blog/editor")(editorRoute());

"""Alembic's entry: runs the migrations on the connection that the caller has opened, in the caller's transaction."""

from alembic import context

context.configure(connection=context.config.attributes["connection"], transactional_ddl=True)
with context.begin_transaction():
    context.run_migrations()

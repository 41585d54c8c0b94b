-- Run once, on the primary: psql --host=127.0.0.1 --port=6433 --username=postgres --set=password=… --file=create-database.sql
create role connect login password :'password';
-- Behind PgBouncer the service cannot set the timeout of its statements.
alter role connect set statement_timeout = '10s';
create database connect owner connect;

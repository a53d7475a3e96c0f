"""A chat with memory in Django, with a page where users see, correct, approve and forget what is known about them.

    pip install 'prefmem-pg[local,django]' jinja2
    python examples/django_app/manage.py migrate
    python examples/django_app/manage.py runserver

Offline: a stand-in answers with what it was given; put your model into ``answer`` of ``project/views.py``. With
PREFMEM_DATABASE_URL Django keeps its own tables in that database as well, and the admin at ``/admin/`` shows what is
known (``manage.py prefmem upgrade`` makes the tables); without it the memory is an embedded one in ./.prefmem.
Whoever signs in is believed to be who they say: put your own login in its place.
"""

import os
import sys

from django.core.management import execute_from_command_line

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "project.settings")
    execute_from_command_line(sys.argv)
